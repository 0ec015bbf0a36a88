import { type DataSource } from 'typeorm';

/**
 * Longer than any batch of a sweep; a replica that hangs keeps the others from sweeping for no longer. It holds nothing that a
 * charge needs, so it may last longer than transactions that write.
 */
const idleMs = 30_000;

/**
 * Runs `work` unless another replica runs something under the same lock; `null` then. The lock belongs to a transaction
 * that is idle meanwhile: a replica that dies, or hangs, loses it. So it saves work, it does not protect data, and `work` has
 * done what it did although the lock was lost.
 */
export async function runAlone<Result>(
  dataSource: DataSource,
  lock: number,
  work: () => Promise<Result>,
): Promise<Result | null> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(`SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`);
    const rows: unknown = await runner.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [lock]);
    return (rows as { locked: boolean }[])[0]?.locked ? await work() : null;
  } finally {
    await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}
