import { OverdueChargesStep } from '../charges/overdue-charges.step.js';
import { useAuditedLedger } from '../ledger.fixture.js';
import { ExpiredLotsStep } from './expired-lots.step.js';

const ledger = useAuditedLedger();
const dayMs = 86_400_000;

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
  expect([await step.run(10), await step.run(10)]).toEqual([2, 0]);
  const closed = [
    { credits: 2, remaining: 0, is_open: false },
    { credits: 3, remaining: 0, is_open: false },
  ];
  expect([await lots(), await expiries()]).toEqual([closed, [{ credits: -3 }]]);
  await ledger.get(OverdueChargesStep).run(10);
  expect([await lots(), await expiries()]).toEqual([closed, [{ credits: -3 }, { credits: -2 }]]);
});
