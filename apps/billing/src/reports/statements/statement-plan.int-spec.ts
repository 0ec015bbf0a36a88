import { type EntryType, isRecord } from '#contracts';
import { type Queryable, TransactionRunner } from '#platform/database';
import { escapeLiteral } from 'pg';
import { type Customer, type LedgerFixture, openLedger } from '../../ledger/ledger.fixture.js';
import { ArchivedEntries } from '../../archives/archived-entries.js';
import { storeBalances } from './statement.fixture.js';
import { type StatementPosition, StatementsRepository, type WantedPage } from './statements.repository.js';

const charges = 2_950;
const pageSize = 200;
const days = 5;
const hourMs = 3_600_000;
const start = new Date('2026-03-01T00:00:00.000Z');

let ledger: LedgerFixture;
let account: WantedPage<StatementPosition>['account'];
/** Has 200 charges in each hour, but at noon a purchase. */
let busy: typeof account;

beforeAll(async () => {
  ledger = await openLedger();
  const first = await ledger.customer(charges);
  account = { id: first.accountId, createdAt: new Date() };
  await chargeOften(first, charges);
  await ledger.factory.setClock(start);
  const second = await ledger.customer(days * 24 * 200);
  busy = { id: second.accountId, createdAt: start };
  for (let hour = 0; hour < days * 24; hour += 1) {
    await ledger.factory.setClock(new Date(start.getTime() + hour * hourMs));
    if (hour % 24 === 12) await ledger.factory.lot({ accountId: busy.id, credits: 1 });
    else await chargeOften(second, 200);
  }
  await ledger.query('ANALYZE ledger_entries');
}, 60_000);

/** So many charges of 1 at one instant, from the customer's first lot. */
async function chargeOften({ accountId: id, keyId }: Customer, count: number): Promise<void> {
  await ledger.query(
    `WITH made AS (
       INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at, pending_until, settled_at)
       SELECT gen_random_uuid(), $1, $2, 'one of many', 'profile', 1, 'posted', 0, now, now, now
       FROM generate_series(1, $3), ledger_now() AS now
       RETURNING id, created_at
     )
     INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
     SELECT $1, (SELECT id FROM lots WHERE account_id = $1 ORDER BY purchased_at LIMIT 1), 'charge', -1, id, created_at FROM made`,
    [id, keyId, count],
  );
}

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
async function download(
  account: WantedPage<StatementPosition>['account'],
  type: EntryType | null,
  limit = pageSize,
): Promise<{ read: number; oldest: number; visited: number }> {
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
    const wanted = { account, limit, after };
    await statements.entriesWithBalances(explained, wanted, type);
    const page = await statements.entriesWithBalances(reports, wanted, type);
    const last = page.at(-1);
    if (!last) throw new Error('a page is empty');
    read += page.length;
    if (page.length < limit) return { read, oldest: last.balance_after, visited };
    after = {
      id: last.id,
      at: last.at.toISOString(),
      balanceBefore: String(last.balance_after - last.credits),
    };
  }
}

it('a download visits each entry once, however many pages there are', async () => {
  const { read, oldest, visited } = await download(account, null);
  expect([read, oldest]).toEqual([charges + 1, charges]);
  expect(visited).toBeGreaterThanOrEqual(read);
  expect(visited).toBeLessThanOrEqual(1.1 * read);
});

it('one of charges visits each twice, to list it and to sum it', async () => {
  const { read, visited } = await download(account, 'charge');
  expect(read).toBe(charges);
  expect(visited).toBeLessThanOrEqual(2.1 * read);
});

it('one of purchases reads no charges between entries whose balance is known', async () => {
  const before = await download(busy, 'purchase', 4);
  expect(before.read).toBe(days + 1);
  expect(before.visited).toBeGreaterThan(days * 23 * 200);
  await storeBalances(ledger);
  const { visited, ...same } = await download(busy, 'purchase', 4);
  expect(same).toMatchObject({ read: before.read, oldest: before.oldest });
  // The last day has none yet.
  expect(visited).toBeLessThan(25 * 200 + 100);
});
