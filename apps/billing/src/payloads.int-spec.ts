import { randomUUID } from 'node:crypto';
import { charge, settle } from '#contracts';
import { context, newCaller, runBilling, type RunningBilling } from './running-billing.fixture.js';

let billing: RunningBilling;

beforeAll(async () => {
  billing = await runBilling();
});
afterAll(async () => {
  await billing?.close();
});

describe('a charge that no gateway would send', () => {
  it('is refused, takes nothing and does not affect its batch', async () => {
    const { call, key } = await newCaller(billing.client);
    const bad = [
      { ...call(), charge_id: 'x' },
      { ...call(), credits: -1 },
      { ...call(), credits: 1.5 },
      { ...call(), credits: 2_147_483_648 },
      { ...call(), request_id: 'a\0b' },
    ];
    const ask = (request: ReturnType<typeof call>) => billing.client.request(charge, request, context);
    const [good, ...others] = await Promise.allSettled([ask({ ...call(), key_id: key.id }), ...bad.map(ask)]);
    expect(good).toMatchObject({ value: { outcome: 'charged', credits_remaining: 48 } });
    for (const outcome of others) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'invalid_request' } });
    }
    expect(await ask(call())).toMatchObject({ credits_remaining: 46 });
  });
});

describe('a batch of settlements', () => {
  it('with malformed ones settles the others, and acknowledges all', async () => {
    const { call, account_id } = await newCaller(billing.client);
    const { charge_id } = call();
    await billing.client.request(charge, { ...call(), charge_id }, context);
    const good = { charge_id, account_id, outcome: 'posted' };
    const bad = [
      { ...good, charge_id: 'x' },
      { ...good, account_id: charge_id.toUpperCase() },
      { ...good, outcome: 'neither' },
      { ...good, outcome: ['posted'] },
      {},
      null,
      'text',
      [[]],
    ];
    const payload = { settlements: [...bad, good] };
    const reply = await billing.client.request<unknown, unknown>(settle, payload, context);
    expect(reply).toEqual({
      results: [
        { charge_id: 'x', result: 'unknown_charge' },
        ...Array.from({ length: 3 }, () => ({ charge_id, result: 'unknown_charge' })),
        ...Array.from({ length: 4 }, () => ({ charge_id: '', result: 'unknown_charge' })),
        { charge_id, result: 'posted' },
      ],
    });
  });

  it('is refused as a whole when it is not a list, or too long', async () => {
    const one = { charge_id: randomUUID(), account_id: randomUUID(), outcome: 'voided' };
    for (const settlements of [Array.from({ length: 501 }, () => one), { 0: one, length: 1 }]) {
      const call = billing.client.request<unknown, unknown>(settle, { settlements }, context);
      await expect(call).rejects.toMatchObject({
        code: 'invalid_request',
        details: { settlements: ['settlements must be a list of at most 500 items'] },
      });
    }
  });
});
