import { randomUUID } from 'node:crypto';
import { type UsageRow } from '#contracts';
import { keyHashOf } from '#testing';
import { dayMs } from '../../durations.js';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { type CallDetails, type Customer, useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { StatementsService } from '../statements/statements.service.js';
import { UsageService } from './usage.service.js';

const ledger = useAuditedLedger();

/** One call; posted unless it is free or `end` says otherwise. */
const call = (customer: Customer, credits: number, details?: CallDetails) =>
  customer.call(ledger.replicas[0], credits, { ...(credits > 0 && { end: 'posted' }), ...details });

const at = (time: string): Promise<void> => ledger.factory.setClock(new Date(time));

const usageOf = async (accountId: string, from: string, to: string): Promise<readonly UsageRow[]> =>
  (await ledger.get(UsageService).show({ account_id: accountId, from, to })).usage;

describe('usage', () => {
  it('counts calls and credits by UTC day, key and operation, also free calls', async () => {
    await at('2026-03-01T00:00:00.000Z');
    const customer = await ledger.customer(100);
    const otherKey = await ledger.factory.key(customer.accountId, 2);
    for (const [time, credits, fields] of [
      ['2026-03-01T23:59:59.999Z', 3, {}],
      ['2026-03-02T00:00:00.000Z', 2, {}],
      ['2026-03-02T11:00:00.000Z', 0, {}],
      ['2026-03-02T12:00:00.000Z', 1, { operation: 'profile' }],
      ['2026-03-02T23:59:59.999Z', 5, { key_id: otherKey, key_hash: keyHashOf(otherKey) }],
    ] as const) {
      await at(time);
      await call(customer, credits, fields);
    }
    const key_id = customer.keyId;
    const first = { day: '2026-03-01', key_id, operation: 'search', calls: 1, credits: 3 };
    const second = [
      { day: '2026-03-02', key_id, operation: 'search', calls: 2, credits: 2 },
      { day: '2026-03-02', key_id, operation: 'profile', calls: 1, credits: 1 },
      { day: '2026-03-02', key_id: otherKey, operation: 'search', calls: 1, credits: 5 },
    ];
    const all = await usageOf(customer.accountId, '2026-03-01', '2026-03-02');
    expect(all).toHaveLength(4);
    expect(all[0]).toEqual(first);
    expect(all).toEqual(expect.arrayContaining(second));
    expect(await usageOf(customer.accountId, '2026-03-01', '2026-03-01')).toEqual([first]);
    expect(await usageOf(customer.accountId, '2026-03-03', '2026-03-31')).toEqual([]);
    expect(await usageOf(await ledger.factory.account(), '2026-03-01', '2026-03-02')).toEqual([]);
    const unknown = usageOf(randomUUID(), '2026-03-01', '2026-03-01');
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not count calls that were not answered: pending, voided, timed out, refused', async () => {
    await at('2026-03-01T00:00:00.000Z');
    const customer = await ledger.customer(10);
    await call(customer, 1, { end: 'voided' });
    await call(customer, 11, { end: undefined });
    await at('2026-03-01T10:00:02.000Z');
    await call(customer, 1, { end: undefined });
    expect(await usageOf(customer.accountId, '2026-03-01', '2026-03-01')).toEqual([]);
    await at('2026-03-01T10:00:32.000Z');
    expect(await usageOf(customer.accountId, '2026-03-01', '2026-03-01')).toEqual([]);
  });
});

describe('calls that cost nothing', () => {
  const start = new Date('2026-01-10T23:59:59.000Z');
  const daysLater = (days: number): Date => new Date(start.getTime() + days * dayMs);
  const usageOfYear = (accountId: string) => usageOf(accountId, '2026-01-01', '2027-01-01');
  const chargesLeft = async (): Promise<number> => (await ledger.query('SELECT FROM charges')).length;

  it('are deleted after 90 days; usage, keys and statement show the same figures', async () => {
    await ledger.factory.setClock(start);
    const customer = await ledger.customer(10);
    const otherKey = await ledger.factory.key(customer.accountId, 2);
    await call(customer, 2);
    await call(customer, 0);
    await call(customer, 0, { operation: 'profile' });
    await ledger.factory.setClock(new Date(start.getTime() + 2_000));
    await call(customer, 0);
    await call(customer, 0, { key_id: otherKey, key_hash: keyHashOf(otherKey) });
    // Repeated after a paid one, for nothing.
    const repeatable = { idempotency_key_hash: 'a'.repeat(64), fingerprint: 'b'.repeat(64) };
    await call(customer, 1, repeatable);
    const repeat = await ledger.replicas[0].charge({ ...customer.request(1), ...repeatable });
    expect(repeat).toMatchObject({ credits_used: 0 });

    const account_id = customer.accountId;
    const figures = async (): Promise<unknown[]> => [
      await usageOfYear(account_id),
      await ledger.get(ApiKeysService).list(account_id),
      await ledger.get(StatementsService).list({ account_id, limit: 50 }),
    ];
    await ledger.factory.setClock(new Date(daysLater(90).getTime() - 1));
    const sweep = ledger.get(SweepService);
    await sweep.sweep();
    const before = await figures();
    expect(await chargesLeft()).toBe(7);

    await ledger.factory.setClock(daysLater(91));
    expect(await sweep.sweep()).toMatchObject({ 'old free calls': 5 });
    expect(await chargesLeft()).toBe(2);
    expect(await figures()).toEqual(before);
    const [usage] = before as [UsageRow[]];
    expect(usage.reduce((sum, { calls }) => sum + calls, 0)).toBe(7);
    expect(usage.map(({ day }) => day)).toEqual(expect.arrayContaining(['2026-01-10', '2026-01-11']));
  });
});
