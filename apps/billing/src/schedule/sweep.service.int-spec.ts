import { type Query, TransactionRunner } from '#platform/database';
import { Logger } from '@nestjs/common';
import { dayMs } from '../durations.js';
import { type Customer, times, useAuditedLedger } from '../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from '../ledger/charges/overdue-charges.js';
import { SweepService, type SweepStep } from './sweep.service.js';

const ledger = useAuditedLedger();
const startAt = Date.now();

const at = (ms: number): Promise<void> => ledger.factory.setClock(new Date(startAt + ms));

function sweepOf(steps: SweepStep[], options = defaultLedgerOptions): SweepService {
  return new SweepService(ledger.get(TransactionRunner), options, steps);
}

const ledgerSweep = () => sweepOf([ledger.get(OverdueChargesStep), ledger.get(ExpiredLotsStep)]);

/** A step of the sweep, for what the sweep does with any of them. */
const step = (name: string, run: SweepStep['run']): SweepStep => ({ name, run });

/** Customers with a charge of 2 that will be overdue, and a lot of 5 that will have expired. */
async function customersWithDueWork(count: number): Promise<Customer[]> {
  await at(0);
  const customers = await Promise.all(times(count, () => ledger.customer(5)));
  await Promise.all(customers.map((customer) => customer.charge(ledger.replicas[0], 2)));
  await at(30 * dayMs);
  return customers;
}

async function entryCounts(): Promise<Record<string, number>> {
  const rows = await ledger.query<{ type: string; count: number }>(
    'SELECT type, count(*)::integer AS count FROM ledger_entries GROUP BY type ORDER BY type',
  );
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
}

beforeAll(() => {
  Logger.overrideLogger(false);
});

describe('a sweep', () => {
  it('goes on with the next step when one fails or has more to do than there is time for', async () => {
    const failing = step('failing', () => Promise.reject(new Error('no')));
    const endless = step('endless', () => Promise.resolve(1));
    const next = step('next', () => Promise.resolve(0));
    const sweep = sweepOf([failing, endless, next], { ...defaultLedgerOptions, sweepPeriodMs: 50 });
    expect(await sweep.sweep()).toEqual({ endless: expect.any(Number) as number, next: 0 });
    // What was left undone: the task comes back to it soon.
    expect(await sweep.run(new AbortController().signal)).toBe(true);
    expect(await sweepOf([next]).run(new AbortController().signal)).toBe(false);
  });

  it('stops after the current batch when it is aborted', async () => {
    const stopping = new AbortController();
    let batches = 0;
    const stopped = step('stopped', () => {
      if (++batches === 3) stopping.abort();
      return Promise.resolve(1);
    });
    const next = step('next', () => Promise.reject(new Error('not reached')));
    expect(await sweepOf([stopped, next]).sweep(stopping.signal)).toEqual({ stopped: 3 });
  });

  it('is done by one replica at a time', async () => {
    let runs = 0;
    const once: SweepStep = step('once', async () => {
      runs += 1;
      expect(await sweepOf([once]).sweep()).toEqual({ once: 0 });
      return 0;
    });
    await sweepOf([once]).sweep();
    expect(runs).toBe(1);
  });
});

describe('what is due by account', () => {
  it('does not wait for an account that cannot be swept', async () => {
    await customersWithDueWork(10);
    const [broken] = await ledger.query<{ id: string }>('SELECT id FROM accounts ORDER BY id LIMIT 1');
    await ledger.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$`,
    );
    await ledger.query(
      `CREATE TRIGGER refuse BEFORE INSERT ON ledger_entries FOR EACH ROW
       WHEN (NEW.account_id = '${broken?.id}') EXECUTE FUNCTION refuse()`,
    );
    await ledgerSweep().sweep();
    expect(await entryCounts()).toMatchObject({ reversal: 9, expiry: 18 });
    await ledger.query('DROP TRIGGER refuse ON ledger_entries');
    await ledgerSweep().sweep();
    expect(await entryCounts()).toMatchObject({ reversal: 10, expiry: 20 });
  });

  /** Locks an account while `work` runs, as another replica or an operator in psql would. */
  const holding = (accountId: string, work: (query: Query) => Promise<void>): Promise<void> =>
    ledger.transactions.run([accountId], async ({ query }) => {
      // Idle for longer than a writing transaction may be.
      await query('set', `SET LOCAL idle_in_transaction_session_timeout = '30s'`);
      await work(query);
    });

  it('waits for an account that is locked, and no other account does: a charge posted meanwhile stays posted', async () => {
    const customers = await customersWithDueWork(10);
    const accountId = customers[7]?.accountId ?? '';
    await holding(accountId, async (query) => {
      const posting = `UPDATE charges SET state = 'posted', settled_at = ledger_now() WHERE account_id = $1`;
      await query('post charge', posting, [accountId]);
      const asked = performance.now();
      expect(await ledgerSweep().sweep()).toEqual({ 'overdue charges': 9, 'expired lots': 9 });
      expect(performance.now() - asked).toBeLessThan(3_000);
    });
    expect(await ledgerSweep().sweep()).toEqual({ 'overdue charges': 0, 'expired lots': 1 });
    const posted = `SELECT account_id FROM charges WHERE state = 'posted'`;
    expect(await ledger.query(posted)).toEqual([{ account_id: accountId }]);
  });

  it('is done after a little waiting for the lock of an account in constant use', async () => {
    const [customer] = await customersWithDueWork(1);
    const overdue = ledger.get(OverdueChargesStep);
    let done = 0;
    for (let round = 0; round < 20 && done === 0; round++) {
      let run: Promise<number> = Promise.resolve(0);
      await holding(customer?.accountId ?? '', async () => {
        let isOver = false;
        run = overdue.run(10).finally(() => (isOver = true));
        while (!isOver && (await ledger.lockWaiters()) === 0);
      });
      done = await run;
    }
    expect(done).toBe(1);
  });
});
