import { randomUUID } from 'node:crypto';
import { eventually } from '#testing';
import { admin } from '../support/admin-api.js';
import { createFundedAccount } from '../support/accounts.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const creator = catalog.record('someone');
const { slug } = creator;

beforeAll(() => catalog.importVisible([creator]));

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

// Calls of different prices: apps/billing/src/ledger/charges/charge-races.int-spec.ts.
describe('many calls at once on one account', () => {
  it('200 profile calls on 67 credits: 67 succeed, each balance is reported once, it ends at 0', async () => {
    const credits = 67;
    const { id, keys } = await createFundedAccount({ credits, keys: 5 });
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => api.profile(slug, keys[index % 5]?.key ?? '')),
    );
    const paid = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 402);
    expect([paid.length, refused.length]).toEqual([credits, 200 - credits]);
    const balances = paid.map(({ body }) => body.credits_remaining).sort((one, other) => one - other);
    expect(balances).toEqual(Array.from({ length: credits }, (_, balance) => balance));
    expect(new Set(refused.map(({ body }) => body.credits_remaining))).toEqual(new Set([0]));
    expect(await admin.balance(id)).toBe(0);
    expect(sum((await admin.ledger(id)).map((entry) => entry.credits))).toBe(0);
  });

  it('a key that is deleted under load is charged for no call that began afterwards', async () => {
    const { id, key, keyId } = await createFundedAccount({ credits: 10_000 });
    const calls: { readonly requestId: string; readonly startedAt: number; readonly status: number }[] = [];
    let isOver = false;
    const caller = async (): Promise<void> => {
      while (!isOver) {
        const [requestId, startedAt] = [randomUUID(), performance.now()];
        const { status } = await api.get(paths.profile(slug), key, {
          headers: { 'x-request-id': requestId },
        });
        calls.push({ requestId, startedAt, status });
      }
    };
    const callers = Array.from({ length: 16 }, caller);
    await eventually(() => expect(calls.length).toBeGreaterThan(100), 10_000);
    await admin.call('DELETE', `/accounts/${id}/keys/${keyId}`);
    const deletedAt = performance.now();
    const after = () => calls.filter(({ startedAt }) => startedAt > deletedAt);
    await eventually(() => expect(after().length).toBeGreaterThan(100), 10_000);
    isOver = true;
    await Promise.all(callers);
    expect(new Set(after().map(({ status }) => status))).toEqual(new Set([401]));
    const charged = new Set((await admin.ledger(id)).map(({ request_id }) => request_id));
    expect(after().filter(({ requestId }) => charged.has(requestId))).toEqual([]);
    expect(calls.filter(({ status }) => status === 200).length).toBe(10_000 - (await admin.balance(id)));
  });
});
