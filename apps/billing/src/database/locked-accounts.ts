import { type DataSource } from 'typeorm';

/** One transaction that holds the rows of its accounts. */
export interface LockedAccounts {
  /** The instant of every decision in this transaction, read from the database's clock after the lock. */
  readonly now: Date;
  /** The accounts that exist, of those asked for. */
  readonly accountIds: ReadonlySet<string>;
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>;
}

/**
 * The only way to write to lots, charges, keys or agreements: locks the account rows in id order, so that replicas never
 * deadlock, then reads the clock once, then does the work, at READ COMMITTED. What `work` raises rolls everything back.
 *
 * `FOR NO KEY UPDATE` lets foreign-key checks of other tables pass while it excludes every other writer.
 */
export async function withLockedAccounts<Result>(
  dataSource: DataSource,
  accountIds: Iterable<string>,
  work: (locked: LockedAccounts) => Promise<Result>,
): Promise<Result> {
  return dataSource.transaction('READ COMMITTED', async (manager) => {
    const query = <Row>(sql: string, parameters?: unknown[]): Promise<Row[]> => manager.query(sql, parameters);
    const rows = await query<{ id: string }>(
      'SELECT id FROM accounts WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE',
      [[...new Set(accountIds)]],
    );
    const [clock] = await query<{ now: Date }>('SELECT ledger_now() AS now');
    if (!clock) throw new Error('ledger_now() gave no row');
    return work({ now: clock.now, accountIds: new Set(rows.map((row) => row.id)), query });
  });
}
