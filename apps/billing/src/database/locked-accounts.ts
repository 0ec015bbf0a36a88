import { commitInTime, observed, type RemainingMs } from '@app/platform';
import { type PoolClient } from 'pg';
import { type DataSource } from 'typeorm';
import { PreparingClient, preparedName } from './preparing-client.js';
import { type Query, sendAll, type SqlStatement } from './query.js';

/** One transaction that holds the rows of its accounts. */
export interface LockedAccounts {
  /** The instant of every decision in this transaction, read from the database's clock after the lock. */
  readonly now: Date;
  /** The accounts that are locked: those that exist, of those asked for. */
  readonly accountIds: ReadonlySet<string>;
  /** Accounts that were skipped because another transaction has locked them. */
  readonly busyIds: ReadonlySet<string>;
  readonly query: Query;
  /** Sends statements together with the commit, which saves their round trip; one that fails rolls everything back. */
  readonly withCommit: (statements: readonly SqlStatement[]) => void;
  /** Calls `note` once everything has been committed; never, when it is rolled back. */
  readonly onCommit: (note: () => void) => void;
}

export interface LockOptions {
  /** Skips accounts that another transaction has locked, so that the others need not wait for them. Default: waits. */
  readonly skipBusy?: boolean;
  /** They are waited for no longer than this, instead of what a session allows. */
  readonly lockTimeoutMs?: number;
  /** Of a caller after whose time-out nothing may be committed. */
  readonly remainingMs?: RemainingMs | undefined;
}

/**
 * `FOR NO KEY UPDATE` lets foreign-key checks of other tables pass while it excludes every other writer. The clock stands
 * above the aggregate, which needs the last lock before it gives its one row: the instant is never before the lock.
 */
const lockAndReadClock = (skipLocked = '', andAll = '') => `
  SELECT ids, ledger_now() AS now${andAll}
  FROM (
    SELECT array_agg(id::text) AS ids
    FROM (SELECT id FROM accounts WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE${skipLocked}) AS locked
  ) AS all_locked`;
const lockAll = lockAndReadClock();
/** With all accounts that there are of those asked for: a row that is skipped looks like one that is not there. */
const lockFree = lockAndReadClock(
  ' SKIP LOCKED',
  ', (SELECT array_agg(id::text) FROM accounts WHERE id = ANY($1::uuid[])) AS known',
);

interface LockedRow {
  readonly ids: string[] | null;
  readonly known?: string[] | null;
  readonly now: Date;
}

/** Something to be done for accounts that are locked. */
interface LockedWork<Read, Result> {
  /**
   * Sent right behind the lock, which saves a round trip: its statements see what they would see after it, but the instant
   * and which of the accounts exist are not known yet. It is handed each account once.
   */
  readonly read: (query: Query, accountIds: string[]) => Promise<Read>;
  /** What it throws rolls everything back. */
  readonly apply: (locked: LockedAccounts, read: Read) => Result | Promise<Result>;
}

/**
 * The only way to write to lots, charges, keys or agreements: locks the account rows in id order, so that replicas never
 * deadlock, then reads the clock once, then does the work, at READ COMMITTED. What `work` throws rolls everything back.
 * With `remainingMs` nothing is committed after the caller has given up: `deadline_exceeded`.
 */
export function withLockedAccounts<Result>(
  dataSource: DataSource,
  accountIds: Iterable<string>,
  work: (locked: LockedAccounts) => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  const withoutReading = { read: () => Promise.resolve(), apply: work };
  return readWithLockedAccounts(dataSource, accountIds, withoutReading, options);
}

/** The same for work that begins with reading. */
export async function readWithLockedAccounts<Read, Result>(
  dataSource: DataSource,
  accountIds: Iterable<string>,
  work: LockedWork<Read, Result>,
  options: LockOptions = {},
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    const query = onConnection(client);
    try {
      return await runTransaction(query, [...new Set(accountIds)], work, options);
    } catch (error) {
      await query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  } finally {
    await runner.release();
  }
}

function onConnection(client: PoolClient): Query {
  const keepsPrepared = client instanceof PreparingClient;
  return observed(async <Row>(sql: string, parameters?: unknown[]): Promise<Row[]> => {
    const name = keepsPrepared && parameters ? { name: preparedName(sql) } : {};
    const { rows } = await client.query({ ...name, text: sql, values: parameters ?? [] });
    return rows as Row[];
  });
}

async function runTransaction<Read, Result>(
  query: Query,
  accountIds: string[],
  { read, apply }: LockedWork<Read, Result>,
  { skipBusy = false, lockTimeoutMs, remainingMs }: LockOptions,
): Promise<Result> {
  const [, , [locked], alreadyRead] = await Promise.all([
    query('BEGIN ISOLATION LEVEL READ COMMITTED'),
    lockTimeoutMs === undefined ? undefined : query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`),
    query<LockedRow>(skipBusy ? lockFree : lockAll, [accountIds]),
    read(query, accountIds),
  ]);
  if (!locked) throw new Error('the lock gave no row');
  const lockedIds = new Set(locked.ids);
  const notes: (() => void)[] = [];
  const last: SqlStatement[] = [];
  const result = await apply(
    {
      now: locked.now,
      accountIds: lockedIds,
      busyIds: new Set(locked.known?.filter((id) => !lockedIds.has(id))),
      query,
      withCommit: (statements) => last.push(...statements),
      onCommit: (note) => notes.push(note),
    },
    alreadyRead,
  );
  if (remainingMs) await commitInTime(query, remainingMs);
  // After a statement that failed, PostgreSQL takes the commit as a rollback.
  await Promise.all([...sendAll(query, last), query('COMMIT')]);
  for (const note of notes) note();
  return result;
}
