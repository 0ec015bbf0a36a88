import { randomUUID } from 'node:crypto';
import { dayMs } from '../../durations.js';
import { OverdueChargesStep } from '../charges/overdue-charges.js';
import { useAuditedLedger } from '../ledger.fixture.js';
import { byPurchase, lotOrder } from '../rules/allocate.js';
import { ExpiredLotsStep } from './expired-lots.step.js';

const ledger = useAuditedLedger();

it('expired lots are closed once, spent ones too, and what a late void gives back to one expires', async () => {
  const startAt = Date.now();
  await ledger.factory.setClock(new Date(startAt));
  const customer = await ledger.customer(2);
  await customer.charge(ledger.replicas[0], 2);
  await ledger.factory.lot({ accountId: customer.accountId, credits: 3 });
  const lots = () => ledger.query('SELECT credits, remaining, is_open FROM lots ORDER BY credits');
  const expiries = () => ledger.query(`SELECT credits FROM ledger_entries WHERE type = 'expiry' ORDER BY id`);
  const step = ledger.get(ExpiredLotsStep);

  await ledger.factory.setClock(new Date(startAt + 29 * dayMs));
  expect(await step.run(10)).toBe(0);
  await ledger.factory.setClock(new Date(startAt + 30 * dayMs));
  for (const done of [1, 1, 0]) expect(await step.run(1)).toBe(done);
  const closed = [
    { credits: 2, remaining: 0, is_open: false },
    { credits: 3, remaining: 0, is_open: false },
  ];
  expect([await lots(), await expiries()]).toEqual([closed, [{ credits: -3 }]]);
  await ledger.get(OverdueChargesStep).run(10);
  expect([await lots(), await expiries()]).toEqual([closed, [{ credits: -3 }, { credits: -2 }]]);
});

it('puts lots in the same order in JavaScript and in SQL, also those of the same instant', async () => {
  const accountId = await ledger.factory.account();
  const now = Date.now();
  const lots = Array.from({ length: 200 }, (_, index) => ({
    id: randomUUID(),
    purchasedAt: new Date(now - (index % 9)),
  }));
  for (const lot of lots) await ledger.factory.lot({ ...lot, accountId, credits: 1 });
  const stored = await ledger.query<{ id: string; purchased_at: Date }>(
    `SELECT id, purchased_at FROM lots WHERE account_id = $1 ORDER BY ${lotOrder('lots')}`,
    [accountId],
  );
  expect(stored.map(({ id }) => id)).toEqual(lots.sort(byPurchase).map(({ id }) => id));
  expect(stored.map(({ purchased_at }) => purchased_at)).toEqual(lots.map(({ purchasedAt }) => purchasedAt));
});

it("reads a clock of whole milliseconds, so that no order depends on what a Date can't hold", async () => {
  const rows = await ledger.query<{ whole: boolean }>(
    `SELECT date_trunc('milliseconds', now) = now AS whole FROM (SELECT ledger_now() AS now FROM generate_series(1, 50)) AS t`,
  );
  expect(rows.every(({ whole }) => whole)).toBe(true);
});
