import { type Query, TransactionRunner } from '#platform/database';
import { type Customer, useAuditedLedger } from '../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from '../ledger/charges/overdue-charges.step.js';
import { SweepService } from './sweep.service.js';

const dayMs = 24 * 60 * 60 * 1_000;
const ledger = useAuditedLedger();
const startAt = Date.now();

/** Customers with 3 of 5 credits left, whose charge of 2 is overdue. */
async function overdueCustomers(count: number): Promise<{ customer: Customer; chargeId: string }[]> {
  await ledger.factory.setClock(new Date(startAt));
  const all = await Promise.all(
    Array.from({ length: count }, async () => {
      const customer = await ledger.customer(5);
      return { customer, chargeId: (await customer.charge(ledger.replicas[0], 2)).id };
    }),
  );
  await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs));
  return all;
}

async function overdueCustomer(): Promise<{ customer: Customer; chargeId: string }> {
  const [only] = await overdueCustomers(1);
  if (!only) throw new Error('no customer');
  return only;
}

/** Locks an account while `work` runs, as another replica or an operator in psql would. */
function holding(accountId: string, work: (query: Query) => Promise<void>): Promise<void> {
  return ledger.transactions.run([accountId], ({ query }) => work(query));
}

async function lotsAndStates(): Promise<Record<string, number>> {
  const rows = await ledger.query<{ what: string; count: number }>(
    `SELECT state AS what, count(*)::integer AS count FROM charges GROUP BY state
     UNION ALL SELECT 'filled lots', count(*)::integer FROM lots WHERE remaining > 0`,
  );
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}

describe('the sweep and an account that another transaction has locked', () => {
  it('leaves the account for the next sweep: a charge posted meanwhile stays posted', async () => {
    const { customer, chargeId } = await overdueCustomer();
    const step = ledger.get(OverdueChargesStep);
    await holding(customer.accountId, async (query) => {
      await query(
        'post charge',
        `UPDATE charges SET state = 'posted', settled_at = ledger_now() WHERE id = $1`,
        [chargeId],
      );
      expect(await step.run(10)).toBe(0);
    });
    expect(await step.run(10)).toBe(0);
    expect(await lotsAndStates()).toMatchObject({ posted: 1 });
    expect(await ledger.balance(customer.accountId)).toBe(3);
  });

  it('sweeps all other accounts without delay, however long the one stays locked', async () => {
    const held = (await overdueCustomers(30))[7]?.customer;
    if (!held) throw new Error('no customer');
    await ledger.factory.setClock(new Date(startAt + 30 * dayMs));
    const steps = [ledger.get(OverdueChargesStep), ledger.get(ExpiredLotsStep)];
    const sweep = new SweepService(ledger.get(TransactionRunner), defaultLedgerOptions, steps);
    await holding(held.accountId, async () => {
      const asked = performance.now();
      expect(await sweep.sweep()).toEqual({ 'overdue charges': 29, 'expired lots': 29 });
      expect(performance.now() - asked).toBeLessThan(3_000);
    });
    expect(await lotsAndStates()).toEqual({ pending: 1, voided: 29, 'filled lots': 1 });
    expect(await sweep.sweep()).toEqual({ 'overdue charges': 1, 'expired lots': 1 });
  });

  it('finally waits a little for the lock, so that an account in constant use is swept too', async () => {
    const { customer } = await overdueCustomer();
    const step = ledger.get(OverdueChargesStep);
    let done = 0;
    for (let round = 0; round < 20 && done === 0; round++) {
      let run: Promise<number> = Promise.resolve(0);
      await holding(customer.accountId, async () => {
        let isOver = false;
        run = step.run(10).finally(() => (isOver = true));
        while (!isOver && (await ledger.lockWaiters()) === 0);
      });
      done = await run;
    }
    expect(done).toBe(1);
  });
});
