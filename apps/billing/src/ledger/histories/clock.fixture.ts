import { type LedgerFixture } from '../ledger.fixture.js';

/**
 * Sets the clock stopped by `BillingFactory.setClock` while commands run: in one statement, so that none of them reads
 * a clock without a time.
 */
export async function moveClock({ query }: LedgerFixture, at: number): Promise<void> {
  await query('UPDATE test_clock SET at = $1', [new Date(at)]);
}

/** Advances that clock; concurrent calls add up. */
export async function advanceClock({ query }: LedgerFixture, ms: number): Promise<void> {
  await query(`UPDATE test_clock SET at = at + $1 * interval '1 millisecond'`, [ms]);
}

/**
 * Entries older than one written before them on the same account. There must be none, however the clock moves: every
 * writer reads the clock under the account's lock.
 */
export function entriesBackInTime({ query }: LedgerFixture): Promise<unknown[]> {
  return query(
    `SELECT * FROM (
       SELECT id, account_id, type, created_at, lag(created_at) OVER (PARTITION BY account_id ORDER BY id) AS before
       FROM ledger_entries
     ) AS entries WHERE created_at < before`,
  );
}
