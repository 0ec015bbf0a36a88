import { randomUUID } from 'node:crypto';
import { openLedger, type LedgerFixture } from '../ledger.fixture.js';
import { byPurchase, lotOrder } from '../rules/allocate.js';

let ledger: LedgerFixture;

beforeAll(async () => {
  ledger = await openLedger();
});

afterAll(() => ledger.close());

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
