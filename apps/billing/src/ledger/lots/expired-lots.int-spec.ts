import { useAuditedLedger } from '../ledger.fixture.js';
import { ExpiredLotsStep } from './expired-lots.step.js';

const ledger = useAuditedLedger();

const day = 86_400_000;

it('expired lots are closed once, spent ones too, and only what is left in them is written off', async () => {
  const startAt = Date.now();
  await ledger.factory.setClock(new Date(startAt));
  const { accountId } = await ledger.customer(0);
  const spent = await ledger.factory.lot({ accountId, credits: 2 });
  await ledger.query(
    `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at) VALUES ($1, $2, 'expiry', -2, ledger_now())`,
    [accountId, spent],
  );
  await ledger.factory.lot({ accountId, credits: 3 });
  const step = ledger.get(ExpiredLotsStep);
  await ledger.factory.setClock(new Date(startAt + 29 * day));
  expect(await step.run(10)).toBe(0);
  await ledger.factory.setClock(new Date(startAt + 30 * day));
  expect([await step.run(10), await step.run(10)]).toEqual([2, 0]);
  expect(await ledger.query('SELECT credits, remaining, is_open FROM lots ORDER BY credits')).toEqual([
    { credits: 2, remaining: 0, is_open: false },
    { credits: 3, remaining: 0, is_open: false },
  ]);
  expect(
    await ledger.query(
      `SELECT credits FROM ledger_entries WHERE type = 'expiry' AND account_id = $1 ORDER BY id`,
      [accountId],
    ),
  ).toEqual([{ credits: -2 }, { credits: -3 }]);
});
