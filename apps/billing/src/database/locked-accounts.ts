import { observed } from '@app/platform';
import { type PoolClient } from 'pg';
import { type DataSource } from 'typeorm';
import { type Query } from './query.js';

/** One transaction that holds the rows of its accounts. */
export interface LockedAccounts {
  /** The instant of every decision in this transaction, read from the database's clock after the lock. */
  readonly now: Date;
  /** The accounts that exist, of those asked for. */
  readonly accountIds: ReadonlySet<string>;
  readonly query: Query;
  /** Calls `note` once everything has been committed; never, when it is rolled back. */
  readonly onCommit: (note: () => void) => void;
}

/**
 * `FOR NO KEY UPDATE` lets foreign-key checks of other tables pass while it excludes every other writer. The clock stands
 * above the aggregate, which needs the last lock before it gives its one row: the instant is never before the lock.
 */
const lockAndReadClock = `
  SELECT ids, ledger_now() AS now
  FROM (
    SELECT array_agg(id::text) AS ids
    FROM (SELECT id FROM accounts WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE) AS locked
  ) AS all_locked`;

/**
 * The only way to write to lots, charges, keys or agreements: locks the account rows in id order, so that replicas never
 * deadlock, then reads the clock once, then does the work, at READ COMMITTED. What `work` raises rolls everything back.
 */
export async function withLockedAccounts<Result>(
  dataSource: DataSource,
  accountIds: Iterable<string>,
  work: (locked: LockedAccounts) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    const query: Query = observed(
      async <Row>(sql: string, parameters?: unknown[]) => (await client.query(sql, parameters)).rows as Row[],
    );
    const notes: (() => void)[] = [];
    try {
      const [, [locked]] = await Promise.all([
        query('BEGIN ISOLATION LEVEL READ COMMITTED'),
        query<{ ids: string[] | null; now: Date }>(lockAndReadClock, [[...new Set(accountIds)]]),
      ]);
      if (!locked) throw new Error('the lock gave no row');
      const result = await work({
        now: locked.now,
        accountIds: new Set(locked.ids),
        query,
        onCommit: (note) => notes.push(note),
      });
      await query('COMMIT');
      for (const note of notes) note();
      return result;
    } catch (error) {
      await query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  } finally {
    await runner.release();
  }
}
