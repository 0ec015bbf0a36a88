import { randomUUID } from 'node:crypto';
import { type CallRecord, type ListCallsRequest, type Page } from '#contracts';
import { TransactionRunner } from '#platform/database';
import { DataSource } from 'typeorm';
import { billingMigrationOptions } from '../../database/data-source.js';
import { type LedgerFixture, openLedger } from '../../ledger/ledger.fixture.js';
import { CallsRepository } from './calls.repository.js';
import { CallsService } from './calls.service.js';

const callsOfAccount = 20_000;
const others = 50;
const callsOfEachOther = 400;
/** One in so many calls of the account was voided. */
const voidedOneIn = 2_000;
const label = 'a label on many calls';
const labelledOneIn = 10;
const pageSize = 100;

let ledger: LedgerFixture;
let accountId: string;

/** Calls of the last 30 days, evenly spread. */
const makeCallsSql = `
  INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, void_reason, credits_remaining,
    created_at, pending_until, settled_at, filters, total)
  SELECT gen_random_uuid(), $1, $2, CASE WHEN call % ${labelledOneIn} = 0 THEN $4 ELSE gen_random_uuid()::text END,
    'search', 2, CASE WHEN call % ${voidedOneIn} = 0 THEN 'voided' ELSE 'posted' END,
    CASE WHEN call % ${voidedOneIn} = 0 THEN 'given_up' END, 0, at, at, at, 'country', 7
  FROM generate_series(1, $3::integer) AS call,
    LATERAL (SELECT ledger_now() - call * interval '30 days' / $3::integer AS at) AS made`;

beforeAll(async () => {
  ledger = await openLedger();
  accountId = await ledger.factory.account();
  const { options } = ledger.owner;
  if (options.type !== 'postgres' || options.url === undefined) throw new Error('the ledger has no URL');
  // As migrations do, without a limit on the time of a statement.
  const patient = await new DataSource(billingMigrationOptions(options.url)).initialize();
  const makeCalls = async (ofAccount: string, count: number): Promise<unknown> =>
    patient.query(makeCallsSql, [ofAccount, await ledger.factory.key(ofAccount), count, label]);
  try {
    await makeCalls(accountId, callsOfAccount);
    for (let other = 0; other < others; other += 1) {
      await makeCalls(await ledger.factory.account(), callsOfEachOther);
    }
    await patient.query('VACUUM ANALYZE charges');
  } finally {
    await patient.destroy();
  }
}, 120_000);

afterAll(() => ledger?.close());

type Wanted = Omit<ListCallsRequest, 'account_id' | 'limit' | 'cursor'>;

/** The plan of a page of the account's calls. */
async function planOf(wanted: Wanted, after: { at: string; id: string } | null = null): Promise<string> {
  const reports = new TransactionRunner(ledger.reports);
  const explained: string[] = [];
  await new CallsRepository().newestFirst(
    {
      query: async (name, sql, parameters) => {
        const rows = await reports.query<{ 'QUERY PLAN': string }>(name, `EXPLAIN ${sql}`, parameters);
        explained.push(...rows.map((row) => row['QUERY PLAN']));
        return [];
      },
    },
    { account_id: accountId, ...wanted },
    { limit: pageSize, after },
  );
  return explained.join('\n');
}

describe(`${callsOfAccount} calls of one account`, () => {
  const day = new Date(Date.now() - 10 * 86_400_000);
  const to = day.toISOString().slice(0, 10);
  const from = new Date(day.getTime() - 9 * 86_400_000).toISOString().slice(0, 10);
  const cursor = { at: day.toISOString(), id: randomUUID() };

  it.each<[string, Wanted, { at: string; id: string } | null]>([
    ['the first page', {}, null],
    ['a later page', {}, cursor],
    ['a page of some days', { from, to }, cursor],
    ['a page of one operation', { operation: 'search' }, null],
  ])('%s is read from `charges_of_account` in its order, page by page', async (_what, wanted, after) => {
    const plan = await planOf(wanted, after);
    expect(plan).toMatch(/Index Scan Backward using charges_before_\d{4}_\d{2}_account_id_created_at_idx/);
    expect(plan).not.toMatch(/(Seq|Bitmap Heap) Scan on charges_before/);
    if (after) expect(plan).toMatch(/Index Cond: .*created_at <= /);
  });

  it('those with one request id are found through `charges_of_request`', async () => {
    const plan = await planOf({ request_id: randomUUID() });
    expect(plan).toMatch(/charges_before_\d{4}_\d{2}_request_id_account_id_idx/);
    expect(plan).not.toMatch(/Seq Scan on charges_before/);
  });

  it('are read page by page to the end, each once, the last page as fast as the first', async () => {
    const seen = new Set<string>();
    const took: number[] = [];
    let next: string | null | undefined;
    for (let calls = 0; next !== null; calls += pageSize) {
      const startedAt = performance.now();
      const page: Page<CallRecord> = await list({ ...(next ? { cursor: next } : {}) });
      took.push(performance.now() - startedAt);
      for (const { request_id, at } of page.items) seen.add(`${request_id} ${at}`);
      next = page.next_cursor;
      expect(calls).toBeLessThan(callsOfAccount);
    }
    expect(seen.size).toBe(callsOfAccount);
    const wholeTook = [...took];
    const rare = await timed(() => list({ state: 'voided' }));
    const labelled = await timed(() => list({ request_id: label }));
    const one = await timed(() => list({ request_id: randomUUID() }));
    process.stdout.write(
      `pages of ${pageSize} calls out of ${callsOfAccount}: ${wholeTook.length}, median ${quantile(wholeTook, 0.5)} ms, ` +
        `p99 ${quantile(wholeTook, 0.99)} ms, first ${ms(wholeTook[0])} ms, last ${ms(wholeTook.at(-1))} ms; ` +
        `${callsOfAccount / voidedOneIn} voided ones ${ms(rare)} ms; ` +
        `the newest of ${callsOfAccount / labelledOneIn} with one request id ${ms(labelled)} ms; no call ${ms(one)} ms\n`,
    );
    const [early, late] = [took.slice(0, 50), took.slice(-50)].map((some) => quantile(some, 0.5));
    expect(late).toBeLessThan(3 * (early ?? 0) + 5);
  }, 120_000);
});

function list(wanted: Omit<ListCallsRequest, 'account_id' | 'limit'>): Promise<Page<CallRecord>> {
  return ledger.get(CallsService).list({ account_id: accountId, limit: pageSize, ...wanted });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function quantile(values: readonly number[], share: number): number {
  return ms(values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))]);
}

function ms(value = Number.NaN): number {
  return Math.round(10 * value) / 10;
}
