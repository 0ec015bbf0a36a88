import { type DataSource } from 'typeorm';

/**
 * Runs `work` unless another replica runs something under the same lock; `null` then. The lock belongs to a transaction
 * that is idle meanwhile: a replica that dies, or hangs for longer than `idle_in_transaction_session_timeout`, loses it.
 * So it saves work, it does not protect data.
 */
export async function runAlone<Result>(
  dataSource: DataSource,
  lock: number,
  work: () => Promise<Result>,
): Promise<Result | null> {
  return dataSource.transaction(async (manager) => {
    const [row] = await manager.query<{ locked: boolean }[]>(
      'SELECT pg_try_advisory_xact_lock($1) AS locked',
      [lock],
    );
    return row?.locked ? work() : null;
  });
}
