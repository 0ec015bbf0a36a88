import { type LedgerFixture } from '../ledger.fixture.js';

/**
 * Moves the clock that `BillingFactory.setClock` has stopped, while commands are under way: in one statement, so that none
 * of them finds a clock without a time.
 */
export async function moveClock({ query }: LedgerFixture, at: number): Promise<void> {
  await query('UPDATE test_clock SET at = $1', [new Date(at)]);
}

/** The same from wherever the clock stands; of several at once each adds its own. */
export async function advanceClock({ query }: LedgerFixture, ms: number): Promise<void> {
  await query(`UPDATE test_clock SET at = at + $1 * interval '1 millisecond'`, [ms]);
}

/**
 * Entries older than one written before them on the same account. There must be none, however the clock is moved: whoever
 * writes reads the clock under the account's lock.
 */
export function entriesBackInTime({ query }: LedgerFixture): Promise<unknown[]> {
  return query(
    `SELECT * FROM (
       SELECT id, account_id, type, created_at, lag(created_at) OVER (PARTITION BY account_id ORDER BY id) AS before
       FROM ledger_entries
     ) AS entries WHERE created_at < before`,
  );
}
