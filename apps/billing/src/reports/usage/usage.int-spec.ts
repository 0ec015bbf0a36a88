import { randomUUID } from 'node:crypto';
import { type Operation, type UsageRow } from '@app/contracts';
import { useAuditedLedger, type Customer } from '../../ledger/ledger.fixture.js';
import { UsageService } from './usage.service.js';

interface CallOptions {
  readonly credits: number;
  readonly operation?: Operation;
  readonly keyId?: string;
  readonly end?: 'posted' | 'voided' | 'nothing';
}

describe('usage', () => {
  const ledger = useAuditedLedger();

  /** One call that ends as given, at the given instant. */
  async function call(
    customer: Customer,
    at: string,
    { credits, operation = 'search', keyId = customer.keyId, end = 'posted' }: CallOptions,
  ): Promise<void> {
    await ledger.factory.setClock(new Date(at));
    const [service] = ledger.replicas;
    const id = randomUUID();
    await service.charge({ ...customer.request(credits, id), operation, key_id: keyId });
    if (end !== 'nothing' && credits > 0) await customer.settle(service, id, end);
  }

  const usageOf = async (accountId: string, from: string, to: string): Promise<readonly UsageRow[]> =>
    (await ledger.get(UsageService).usage({ account_id: accountId, from, to })).usage;

  it('counts calls and credits by UTC day, key and operation, also free calls', async () => {
    await ledger.factory.setClock(new Date('2026-03-01T00:00:00.000Z'));
    const customer = await ledger.customer(100);
    const otherKey = await ledger.factory.key(customer.accountId, 2);
    await call(customer, '2026-03-01T23:59:59.999Z', { credits: 3 });
    await call(customer, '2026-03-02T00:00:00.000Z', { credits: 2 });
    await call(customer, '2026-03-02T11:00:00.000Z', { credits: 0 });
    await call(customer, '2026-03-02T12:00:00.000Z', { credits: 1, operation: 'profile' });
    await call(customer, '2026-03-02T23:59:59.999Z', { credits: 5, keyId: otherKey });

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
  });

  it('does not count calls that were not answered: pending, voided, timed out, refused', async () => {
    await ledger.factory.setClock(new Date('2026-03-01T00:00:00.000Z'));
    const customer = await ledger.customer(10);
    await call(customer, '2026-03-01T10:00:00.000Z', { credits: 1, end: 'voided' });
    await call(customer, '2026-03-01T10:00:01.000Z', { credits: 11, end: 'nothing' });
    await call(customer, '2026-03-01T10:00:02.000Z', { credits: 1, end: 'nothing' });
    expect(await usageOf(customer.accountId, '2026-03-01', '2026-03-01')).toEqual([]);
    await ledger.factory.setClock(new Date('2026-03-01T10:00:32.000Z'));
    expect(await usageOf(customer.accountId, '2026-03-01', '2026-03-01')).toEqual([]);
  });

  it('of another account is not shown; an unknown account is not found', async () => {
    const customer = await ledger.customer(10);
    await call(customer, '2026-03-01T10:00:00.000Z', { credits: 0 });
    const stranger = await ledger.factory.account();
    expect(await usageOf(stranger, '2026-03-01', '2026-03-01')).toEqual([]);
    await expect(usageOf(randomUUID(), '2026-03-01', '2026-03-01')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
