import { EventEmitter, once } from 'node:events';
import { createLogger, PeriodicTask } from '#platform';
import { TransactionRunner } from '#platform/database';
import { eventually } from '#testing';
import { Logger } from '@nestjs/common';
import { ApiKeysRepository } from '../accounts/keys/api-keys.repository.js';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from '../ledger/charges/overdue-charges.step.js';
import { UsageService } from '../reports/usage/usage.service.js';
import { oldRowsStep } from './old-rows.fixture.js';
import { SweepService, type SweepStep } from './sweep.service.js';

const dayMs = 24 * 60 * 60 * 1_000;
const ledger = useAuditedLedger();
const startAt = Date.now();
const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

function sweepOf(steps: SweepStep[]): SweepService {
  return new SweepService(ledger.get(TransactionRunner), defaultLedgerOptions, steps);
}

function ledgerSweep(): SweepService {
  return sweepOf([
    ledger.get(OverdueChargesStep),
    ledger.get(ExpiredLotsStep),
    oldRowsStep(ledger, 'old tombstones'),
    oldRowsStep(ledger, 'refused charges'),
  ]);
}

/** Customers with a charge that will be overdue and a lot that will have expired. */
async function customersWithDueWork(count: number): Promise<void> {
  await ledger.factory.setClock(new Date(startAt));
  const customers = await Promise.all(Array.from({ length: count }, () => ledger.customer(5)));
  await Promise.all(customers.map((customer) => customer.charge(ledger.replicas[0], 2)));
  await ledger.factory.setClock(new Date(startAt + 30 * dayMs));
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

/** A step that meets a connection which died is left to the next sweep; the pool of the fixture has 4 of them. */
async function sweepCompletely(): Promise<void> {
  const steps = 4;
  for (let sweeps = 0; sweeps < 5; sweeps++) {
    if (Object.keys(await ledgerSweep().sweep()).length === steps) return;
  }
  throw new Error('no sweep got through');
}

describe('the sweep', () => {
  it('voids overdue charges and writes off expired lots, once, however often it runs', async () => {
    await customersWithDueWork(20);
    expect(await ledgerSweep().sweep()).toEqual({
      'overdue charges': 20,
      'expired lots': 20,
      'old tombstones': 0,
      'refused charges': 0,
    });
    const written = { purchase: 20, charge: 20, reversal: 20, expiry: 40 };
    expect(await entryCounts()).toEqual(written);
    expect(await ledgerSweep().sweep()).toEqual({
      'overdue charges': 0,
      'expired lots': 0,
      'old tombstones': 0,
      'refused charges': 0,
    });
    expect(await entryCounts()).toEqual(written);
  });

  it('does nothing a millisecond before it is due', async () => {
    await ledger.factory.setClock(new Date(startAt));
    const customer = await ledger.customer(5);
    await customer.charge(ledger.replicas[0], 2);
    await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs - 1));
    expect(await ledgerSweep().sweep()).toMatchObject({ 'overdue charges': 0, 'expired lots': 0 });
    await ledger.factory.setClock(new Date(startAt + 30 * dayMs - 1));
    expect(await ledgerSweep().sweep()).toMatchObject({ 'overdue charges': 1, 'expired lots': 0 });
  });

  it('writes off lots batch after batch until none is left', async () => {
    await ledger.factory.setClock(new Date(startAt));
    const customer = await ledger.customer(0);
    for (let lot = 0; lot < 25; lot++) {
      await ledger.factory.lot({ accountId: customer.accountId, credits: 1 });
    }
    await ledger.factory.setClock(new Date(startAt + 30 * dayMs));
    const step = ledger.get(ExpiredLotsStep);
    const done = [];
    do done.push(await step.run(10));
    while (done.at(-1) !== 0);
    expect(done).toEqual([10, 10, 5, 0]);
  });

  it('goes on, batch after batch, until a step has nothing left, however much there is', async () => {
    let left = 1_234;
    let batches = 0;
    const step: SweepStep = {
      name: 'step',
      run: (batchSize) => {
        const done = Math.min(left, batchSize);
        left -= done;
        batches += 1;
        return Promise.resolve(done);
      },
    };
    expect(await sweepOf([step]).sweep()).toEqual({ step: 1_234 });
    expect(batches).toBeGreaterThan(2);
  });

  it('is done by one replica at a time', async () => {
    const entered = new EventEmitter();
    const inside = once(entered, 'inside');
    const leave = once(entered, 'leave');
    let running = 0;
    let most = 0;
    const step: SweepStep = {
      name: 'step',
      run: async () => {
        most = Math.max(most, ++running);
        entered.emit('inside');
        await leave;
        running--;
        return 0;
      },
    };
    const first = sweepOf([step]).sweep();
    await inside;
    expect(await sweepOf([step]).sweep()).toEqual({ step: 0 });
    entered.emit('leave');
    await first;
    expect(most).toBe(1);
  });

  it('by several replicas at once writes each entry once', async () => {
    await customersWithDueWork(30);
    const replicas = await Promise.all([1, 2, 3].map(() => ledger.anotherReplica()));
    await Promise.all(
      replicas.flatMap((replica) => [
        replica.get(OverdueChargesStep).run(500),
        replica.get(ExpiredLotsStep).run(500),
        ledgerSweep().sweep(),
      ]),
    );
    await ledgerSweep().sweep();
    const { charge, reversal } = await entryCounts();
    expect([charge, reversal]).toEqual([30, 30]);
  });

  it('killed at any moment is finished by a later one', async () => {
    await customersWithDueWork(60);
    let killed = 0;
    const killedMidway = [ledger.get(OverdueChargesStep), ledger.get(ExpiredLotsStep)].map((step) => ({
      name: step.name,
      run: async () => {
        const [done, rows] = await Promise.all([
          step.run(3),
          ledger.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
          ),
        ]);
        killed += rows.length;
        return done;
      },
    }));
    for (let round = 0; round < 12; round++) await sweepOf(killedMidway).sweep();
    expect(killed).toBeGreaterThan(0);
    await sweepCompletely();
    const { charge, reversal } = await entryCounts();
    expect([charge, reversal]).toEqual([60, 60]);
    expect(await ledger.query('SELECT id FROM lots WHERE remaining > 0')).toEqual([]);
  });

  it('skips an account that cannot be swept, and sweeps the others', async () => {
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

  it('goes on with the next step when one fails', async () => {
    const failing: SweepStep = { name: 'failing', run: () => Promise.reject(new Error('no')) };
    const next: SweepStep = { name: 'next', run: () => Promise.resolve(0) };
    expect(await sweepOf([failing, next]).sweep()).toEqual({ next: 0 });
  });

  it('goes on with the next step when one has more to do than a sweep has time for, and soon returns to it', async () => {
    const turns: string[] = [];
    const turned = new EventEmitter();
    const endless: SweepStep = {
      name: 'endless',
      run: () => {
        turns.push('endless');
        return Promise.resolve(1);
      },
    };
    const next: SweepStep = {
      name: 'next',
      run: () => {
        turns.push('next');
        if (turns.filter((turn) => turn === 'next').length === 3) turned.emit('enough');
        return Promise.resolve(0);
      },
    };
    const options = { ...defaultLedgerOptions, sweepPeriodMs: 50 };
    const sweep = new SweepService(ledger.get(TransactionRunner), options, [endless, next]);
    const enough = once(turned, 'enough');
    const task = new PeriodicTask({
      run: (signal) => sweep.run(signal),
      intervalMs: 50,
      problem: '',
      logger,
    });
    task.start();
    await enough;
    await task.stop();
    expect(turns[0]).toBe('endless');
    expect(turns.filter((turn) => turn === 'next')).toHaveLength(3);
  });

  it('forgets refusals after 60 seconds, and answers their repetitions as before until then', async () => {
    await ledger.factory.setClock(new Date(startAt));
    const [service] = ledger.replicas;
    const customer = await ledger.customer(5);
    const { id: pending } = await customer.charge(service, 1);
    const { id: posted } = await customer.charge(service, 0);
    const { id: refused, reply } = await customer.charge(service, 5);
    expect(reply).toMatchObject({ outcome: 'insufficient_credits', credits_remaining: 4 });
    await customer.settle(service, pending, 'posted');

    await ledger.factory.setClock(new Date(startAt + 59_999));
    await ledger.factory.lot({ accountId: customer.accountId, credits: 5 });
    expect(await ledgerSweep().sweep()).toMatchObject({ 'refused charges': 0 });
    expect((await customer.charge(service, 5, refused)).reply).toEqual(reply);

    await ledger.factory.setClock(new Date(startAt + 60_000));
    expect(await ledgerSweep().sweep()).toMatchObject({ 'refused charges': 1 });
    const left = await ledger.query<{ id: string }>('SELECT id FROM charges ORDER BY id');
    expect(left.map(({ id }) => id)).toEqual([pending, posted].sort());
    expect(await customer.settle(service, refused, 'voided')).toBe('voided');
    expect((await customer.charge(service, 5, refused)).reply).toEqual({ outcome: 'voided' });
  });

  it('deletes a thousand refused calls, and leaves balance, usage and last use as they were', async () => {
    await ledger.factory.setClock(new Date(startAt));
    const customer = await ledger.customer(1);
    const day = new Date(startAt).toISOString().slice(0, 10);
    const usage = ledger.get(UsageService);
    const keys = () => ledger.get(ApiKeysRepository).ofAccount(customer.accountId);
    const seen = async () => [
      await usage.usage({ account_id: customer.accountId, from: day, to: day }),
      await keys(),
      await ledger.balance(customer.accountId),
    ];
    await customer.charge(ledger.replicas[0], 0);
    await ledger.factory.setClock(new Date(startAt + 1_000));
    const calls = Array.from({ length: 1_000 }, () => customer.charge(ledger.replicas[0], 2));
    for (const { reply } of await Promise.all(calls)) expect(reply.outcome).toBe('insufficient_credits');
    const before = await seen();
    expect(await keys()).toMatchObject([{ lastUsedAt: new Date(startAt) }]);

    await ledger.factory.setClock(new Date(startAt + 61_000));
    expect(await ledgerSweep().sweep()).toMatchObject({ 'refused charges': 1_000 });
    expect(await seen()).toEqual(before);
    expect(await ledger.query('SELECT state FROM charges')).toEqual([{ state: 'posted' }]);
  });

  it('stops after the current batch when it is aborted', async () => {
    const stopping = new AbortController();
    let batches = 0;
    const step: SweepStep = {
      name: 'step',
      run: () => {
        if (++batches === 3) stopping.abort();
        return Promise.resolve(1);
      },
    };
    const next: SweepStep = { name: 'next', run: () => Promise.reject(new Error('not reached')) };
    const sweep = sweepOf([step, next]);
    expect(await sweep.sweep(stopping.signal)).toEqual({ step: 3 });
  });

  it('begins by itself with the application', async () => {
    await customersWithDueWork(1);
    const task = ledger.get(PeriodicTask);
    task.onApplicationBootstrap();
    await eventually(
      async () => expect(await entryCounts()).toMatchObject({ reversal: 1, expiry: 2 }),
      5_000,
    );
    await task.beforeApplicationShutdown();
  });
});
