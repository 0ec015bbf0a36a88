import { type EntryType, isRecord } from '@app/contracts';
import { type Queryable, TransactionRunner } from '@app/platform/database';
import { escapeLiteral } from 'pg';
import { type LedgerFixture, openLedger } from '../../ledger/ledger.fixture.js';
import { ArchivedEntries } from '../../archives/archived-entries.js';
import { type StatementPosition, StatementsRepository } from './statements.repository.js';

const charges = 2_950;
const pageSize = 200;

let ledger: LedgerFixture;
let accountId: string;

beforeAll(async () => {
  ledger = await openLedger();
  accountId = await ledger.factory.account();
  const lotId = await ledger.factory.lot({ accountId, credits: charges });
  await ledger.query(
    `INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at, pending_until, settled_at)
     SELECT gen_random_uuid(), $1, $2, 'one of many', 'profile', 1, 'posted', 0, now, now, now
     FROM generate_series(1, $3), ledger_now() AS now`,
    [accountId, await ledger.factory.key(accountId), charges],
  );
  await ledger.query(
    `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
     SELECT account_id, $1, 'charge', -1, id, created_at FROM charges`,
    [lotId],
  );
  await ledger.query('ANALYZE ledger_entries');
});

afterAll(() => ledger?.close());

/** The rows of entries that the nodes of a plan have read, those that they left out too. */
function rowsVisited(plan: unknown): number {
  if (Array.isArray(plan)) return plan.map(rowsVisited).reduce((sum, rows) => sum + rows, 0);
  if (!isRecord(plan)) return 0;
  const below = rowsVisited(plan.Plans ?? plan.Plan ?? plan['QUERY PLAN'] ?? []);
  if (!String(plan['Relation Name']).startsWith('ledger_entries_')) return below;
  const rows = Number(plan['Actual Rows']) + Number(plan['Rows Removed by Filter'] ?? 0);
  return below + rows * Number(plan['Actual Loops']);
}

/** Values are unknown to a plan that is made once: as text, they take the types of the parameters. */
async function explainPlannedOnce(
  { query }: Queryable,
  sql: string,
  parameters: unknown[],
): Promise<unknown> {
  const values = parameters.map((value) =>
    value === null
      ? 'NULL'
      : escapeLiteral(value instanceof Date ? value.toISOString() : String(value as string | number)),
  );
  await query('prepare', `PREPARE explained AS ${sql}`);
  const plan = await query(
    'explain',
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained (${values.join(', ')})`,
  );
  await query('deallocate', 'DEALLOCATE explained');
  return plan;
}

/** Reads a whole statement page by page; returns its length, its last balance, and the entries that were visited for it. */
async function download(type: EntryType | null): Promise<{ read: number; oldest: number; visited: number }> {
  const reports = new TransactionRunner(ledger.reports);
  const statements = new StatementsRepository(new ArchivedEntries({ archiveDirectory: '' }));
  let visited = 0;
  const explained: Queryable = {
    query: async (_, sql, parameters = []) => {
      visited += rowsVisited(await reports.readPlannedOnce((on) => explainPlannedOnce(on, sql, parameters)));
      return [];
    },
  };
  let after: StatementPosition | null = null;
  for (let read = 0; ;) {
    const wanted = { account: { id: accountId, createdAt: new Date() }, limit: pageSize, after };
    await statements.entriesWithBalances(explained, wanted, type);
    const page = await statements.entriesWithBalances(reports, wanted, type);
    const last = page.at(-1);
    if (!last) throw new Error('a page is empty');
    read += page.length;
    if (page.length < pageSize) return { read, oldest: last.balance_after, visited };
    after = {
      id: last.id,
      at: last.at.toISOString(),
      balanceBefore: String(last.balance_after - last.credits),
    };
  }
}

it('a download visits each entry twice, to list it and to sum it, however many pages there are', async () => {
  const { read, oldest, visited } = await download(null);
  expect([read, oldest]).toEqual([charges + 1, charges]);
  expect(visited).toBeGreaterThanOrEqual(read);
  expect(visited).toBeLessThanOrEqual(2.1 * read);
});

it('and so does one of a single type', async () => {
  const { read, visited } = await download('charge');
  expect(read).toBe(charges);
  expect(visited).toBeLessThanOrEqual(2.1 * read);
});
