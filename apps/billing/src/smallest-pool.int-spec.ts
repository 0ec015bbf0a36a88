import { charge, getAccount, listLedger } from '#contracts';
import { callAndPost, context, newCaller, runBilling } from './running-billing.fixture.js';

const callers = 8;

describe('the smallest pool of connections', () => {
  it('lets a replica charge, settle and sweep at once', async () => {
    const billing = await runBilling({
      DATABASE_POOL_SIZE: '2',
      PENDING_TIMEOUT_MS: '1000',
      SWEEP_PERIOD_MS: '100',
    });
    try {
      const { client } = billing;
      const all = await Promise.all(Array.from({ length: callers }, () => newCaller(client)));
      const forgotten = await newCaller(client);
      await client.request(charge, forgotten.call(), context);
      let isSwept = false;
      const load = all.map(async (caller) => {
        for (let calls = 0; calls < 20 || !isSwept; calls++) {
          await callAndPost(billing, caller);
          // A Trial pack is enough for 25 calls.
          if (calls % 20 === 19) Object.assign(caller, await newCaller(client));
        }
      });
      const sweep = async (): Promise<void> => {
        const { account_id } = forgotten;
        while (!isSwept) {
          const { items } = await client.request(listLedger, { account_id, limit: 1 }, context);
          isSwept = items[0]?.type === 'reversal';
        }
        expect(await client.request(getAccount, { account_id }, context)).toMatchObject({
          credits_remaining: 50,
        });
      };
      await Promise.all([...load, sweep()]);
    } finally {
      await billing.close();
    }
  });
});
