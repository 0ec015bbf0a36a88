import { randomUUID } from 'node:crypto';
import { type UsageRow } from '@app/contracts';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { type Customer, useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { StatementsService } from '../statements/statements.service.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { OldFreeCallsStep } from './old-free-calls.step.js';
import { UsageService } from './usage.service.js';

const ledger = useAuditedLedger();
const dayMs = 86_400_000;
const start = new Date('2026-01-10T23:59:59.000Z');
const daysLater = (days: number): Date => new Date(start.getTime() + days * dayMs);

async function call(customer: Customer, credits: number, fields: object = {}): Promise<string> {
  const id = randomUUID();
  await ledger.replicas[0].charge({ ...customer.request(credits, id), ...fields });
  if (credits > 0) await customer.settle(ledger.replicas[0], id, 'posted');
  return id;
}

const usageOf = async (accountId: string): Promise<readonly UsageRow[]> =>
  (await ledger.get(UsageService).usage({ account_id: accountId, from: '2026-01-01', to: '2027-01-01' }))
    .usage;
const chargesLeft = async (): Promise<number> => {
  const [row] = await ledger.query<{ left: number }>('SELECT count(*)::integer AS left FROM charges');
  return row?.left ?? 0;
};

it('a call that cost nothing is deleted after 90 days; usage, keys and statement show the same figures', async () => {
  await ledger.factory.setClock(start);
  const customer = await ledger.customer(10);
  const otherKey = await ledger.factory.key(customer.accountId, 2);
  await call(customer, 2);
  await call(customer, 0);
  await call(customer, 0, { operation: 'profile' });
  await ledger.factory.setClock(new Date(start.getTime() + 2_000));
  await call(customer, 0);
  await call(customer, 0, { key_id: otherKey });
  // Repeated after a paid one, for nothing.
  const repeatable = { idempotency_key_hash: 'a'.repeat(64), fingerprint: 'b'.repeat(64) };
  await call(customer, 1, repeatable);
  const repeat = await ledger.replicas[0].charge({ ...customer.request(1), ...repeatable });
  expect(repeat).toMatchObject({ credits_used: 0 });

  const account_id = customer.accountId;
  const figures = async (): Promise<unknown[]> => [
    await usageOf(account_id),
    await ledger.get(ApiKeysService).list(account_id),
    await ledger.get(StatementsService).listWithBalances({ account_id, limit: 50 }),
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

it('one run deletes no more of them than the batch size of the sweep, and adds up what it deletes', async () => {
  await ledger.factory.setClock(start);
  const customer = await ledger.customer(0);
  for (let calls = 0; calls < 5; calls += 1) await call(customer, 0);
  const before = await usageOf(customer.accountId);
  await ledger.factory.setClock(daysLater(90));
  const step = ledger.get(OldFreeCallsStep);
  expect([await step.run(2), await step.run(2), await step.run(2), await step.run(2)]).toEqual([2, 2, 1, 0]);
  expect(await usageOf(customer.accountId)).toEqual(before);
  expect(await ledger.query('SELECT calls FROM free_calls')).toEqual([{ calls: 5 }]);
});

it('the counts are kept for as long as a report can show them, and go after 400 days', async () => {
  await ledger.factory.setClock(start);
  const customer = await ledger.customer(0);
  await call(customer, 0);
  const sweep = ledger.get(SweepService);
  await ledger.factory.setClock(daysLater(400));
  await sweep.sweep();
  expect(await usageOf(customer.accountId)).toMatchObject([{ calls: 1 }]);
  await ledger.factory.setClock(daysLater(401));
  await sweep.sweep();
  expect(await ledger.query('SELECT FROM free_calls')).toEqual([]);
});

it('old free charges are found by an index of their own', async () => {
  const plan = await ledger.owner.transaction(async (manager): Promise<unknown> => {
    await manager.query('SET LOCAL enable_seqscan = off');
    return manager.query(
      `EXPLAIN SELECT id FROM charges WHERE credits = 0 AND state = 'posted'
       AND created_at <= (SELECT ledger_now()) - interval '90 days' ORDER BY created_at LIMIT 500`,
    );
  });
  expect(JSON.stringify(plan)).toContain('charges_free');
});
