import { type DiscrepancyKind } from '#contracts';
import { TransactionRunner } from '#platform/database';
import { ledgerRuns } from '#testing';
import fc from 'fast-check';
import { OverdueChargesStep } from '../../ledger/charges/overdue-charges.step.js';
import { histories, HistoryPlayer } from '../../ledger/histories/history.fixture.js';
import { moveClock, PostgresLedger } from '../../ledger/histories/play-on-postgres.fixture.js';
import { openLedger, type LedgerFixture, times } from '../../ledger/ledger.fixture.js';
import { ExpiredLotsStep } from '../../ledger/lots/expired-lots.step.js';
import { pickFrom } from './books.fixture.js';
import { dropGuards, EditedBooks } from './edited-books.fixture.js';
import { type AuditOutcome, LedgerAudit } from './ledger-audit.js';

const { runs, seed } = ledgerRuns(12);
const hourMs = 3_600_000;
const startAt = Date.UTC(2026, 0, 1);
const { signal } = new AbortController();

let ledger: LedgerFixture;

beforeAll(async () => {
  ledger = await openLedger();
  await dropGuards(ledger);
});

beforeEach(() => ledger.empty());

afterAll(() => ledger.close());

interface Reading {
  readonly before?: AuditOutcome | null;
  readonly reader?: TransactionRunner;
  readonly windowMaxMs?: number;
}

function audit({ before = null, reader, ...given }: Reading = {}): Promise<AuditOutcome> {
  const own = reader ?? new TransactionRunner(ledger.reports);
  return ledger.get(LedgerAudit).run({ ...given, reader: own, before, signal });
}

/** Whether the sweep is late is another matter. */
function kindsOf({ reply }: AuditOutcome): DiscrepancyKind[] {
  return reply.discrepancies.map(({ kind }) => kind).filter((kind) => kind !== 'charge_overdue');
}

const doubled = `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, adjustment_id, created_at)
  SELECT account_id, lot_id, type, credits, charge_id, adjustment_id, created_at FROM ledger_entries WHERE id = :id`;

/** What can be falsified: a table, which of its rows, and how. */
const edits = [
  ['ledger_entries', 'true', 'UPDATE ledger_entries SET credits = credits + 1 WHERE id = :id'],
  ['ledger_entries', 'true', 'DELETE FROM ledger_entries WHERE id = :id'],
  ['ledger_entries', 'true', doubled],
  ['charges', "state <> 'refused'", 'UPDATE charges SET credits = credits + 1 WHERE id = :id'],
  ['charges', "state <> 'refused' AND credits > 0", 'DELETE FROM charges WHERE id = :id'],
  ['adjustments', 'true', 'UPDATE adjustments SET credits = credits + 1 WHERE id = :id'],
  ['lots', 'is_open', 'UPDATE lots SET remaining = remaining + 1 WHERE id = :id'],
] as const;

/** One edit of each kind, of rows since an audit, as far as there are any. */
async function editsSince(until: Date): Promise<string[]> {
  const made = edits.map(async ([table, where, sql]) => {
    const [row] = await ledger.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE created_at > $1 AND ${where} ORDER BY md5(id::text) LIMIT 1`,
      [until],
    );
    return row ? [sql.replaceAll(':id', `'${row.id}'`)] : [];
  });
  return (await Promise.all(made)).flat();
}

it('a history cut into any windows has no discrepancy, and an edit in any of them is found', async () => {
  let planted = 0;
  const history = histories(20, { back: 3, race: 4 });
  const cuts = fc.record({ every: fc.integer({ min: 1, max: 6 }), days: fc.constantFrom(0.25, 1, 7, 31) });
  const property = fc.asyncProperty(history, cuts, async (steps, { every, days }) => {
    await ledger.empty();
    const player = new HistoryPlayer(await PostgresLedger.open(ledger), startAt);
    const outcomes: AuditOutcome[] = [];
    for (const [index, step] of steps.entries()) {
      await player.playStep(step);
      if (index % every > 0) continue;
      outcomes.push(await audit({ before: outcomes.at(-1) ?? null }));
      expect(kindsOf(outcomes.at(-1)!)).toEqual([]);
    }
    const windowMaxMs = days * 24 * hourMs;
    expect(kindsOf(await audit({ windowMaxMs }))).toEqual([]);
    const before = pickFrom(outcomes, (below) => steps.length % below);
    for (const sql of await editsSince(before.until)) {
      const reader = new EditedBooks(ledger, sql);
      expect([sql, kindsOf(await audit({ before, reader }))]).not.toEqual([sql, []]);
      expect([sql, kindsOf(await audit({ windowMaxMs, reader }))]).not.toEqual([sql, []]);
      planted += 1;
    }
  });
  await fc.assert(property, { numRuns: runs, seed });
  process.stdout.write(`windows: ${runs} histories, ${planted} edits; LEDGER_SEED=${seed}\n`);
  expect(planted).toBeGreaterThan(runs);
}, 3_600_000);

it('what lies at the instant of a cut is read once', async () => {
  await ledger.factory.setClock(new Date(startAt));
  const customer = await ledger.customer(10);
  const calledAt = new Date(startAt + hourMs);
  await ledger.factory.setClock(calledAt);
  const { id } = await customer.charge(ledger.replica(0), 1);
  await customer.settle(ledger.replica(0), id, 'posted');
  await ledger.factory.setClock(new Date(calledAt.getTime() + 60_000));
  const first = await audit();
  const second = await audit({ before: first });
  expect(first).toMatchObject({ until: calledAt, reply: { ok: true, entries: 2 } });
  expect(second.reply).toMatchObject({ ok: true, entries: 0 });
});

/** Calls without a pause until it is stopped: posted, voided, or left to time out. */
function callAllTheTime(customers: Awaited<ReturnType<LedgerFixture['customer']>>[]): () => Promise<number> {
  let [isOver, calls] = [false, 0];
  const lanes = customers.map(async (customer, lane) => {
    while (!isOver) {
      const service = ledger.replica(calls++);
      const { id } = await customer.charge(service, 1 + (calls % 3));
      if (calls % 5 < 3) await customer.settle(service, id, 'posted');
      else if (calls % 5 === 3) await customer.settle(ledger.replica(lane), id, 'voided');
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(lanes);
    return calls;
  };
}

it('hourly audits while calls run at full speed, time out, expire, and the clock is put back find nothing', async () => {
  await ledger.factory.setClock(new Date(startAt));
  const customers = await Promise.all(times(8, () => ledger.customer(100_000)));
  for (const { accountId } of customers) {
    // These expire soon, some credits of them while they are taken.
    const purchasedAt = new Date(startAt - 30 * 24 * hourMs + 120_000);
    await ledger.factory.lot({ accountId, credits: 500, purchasedAt });
  }
  const stop = callAllTheTime(customers);
  let [before, now]: [AuditOutcome | null, number] = [null, startAt];
  let windows = 0;
  for (const round of times(40, Number)) {
    now += round % 4 === 3 ? -2_000 : 25_000;
    await moveClock(ledger, now);
    await ledger.get(OverdueChargesStep).run(500);
    await ledger.get(ExpiredLotsStep).run(500);
    const outcome: AuditOutcome = await audit({ before });
    expect(outcome.reply.discrepancies.filter(({ kind }) => kind !== 'charge_overdue')).toEqual([]);
    if (before && outcome.until > before.until) windows += 1;
    before = outcome;
  }
  const calls = await stop();
  expect((await audit({ before })).reply.discrepancies).toEqual([]);
  process.stdout.write(`windows: ${calls} calls during ${windows} audits that went on\n`);
  expect(windows).toBeGreaterThan(10);
}, 120_000);
