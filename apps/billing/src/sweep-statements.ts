import { type Queryable, type StatementName } from '#platform/database';
import { dayMs } from './durations.js';
import { invitationForMs } from './people/invitations/invitations.repository.js';
import { keptForMs as signInKeptForMs } from './people/sign-in/sign-in.service.js';
import { type SweepStep } from './schedule/sweep.service.js';

/** A step of the sweep that is one statement. It locks no account, because nothing else changes such rows any longer. */
export interface SweepStatement {
  readonly name: StatementName;
  /** `$1`: the most items wanted. Returns a row for each item that is done. */
  readonly sql: string;
}

/**
 * Add the partitions of the next months, one month at a time, to each table whether or not the other fails. They give up soon where
 * they would have to wait for a lock, because others would wait behind them; the next sweep tries again, months before the partition is
 * needed.
 */
export const monthStatements: readonly SweepStatement[] = [
  {
    name: 'months of entries',
    sql: `SELECT FROM add_ledger_month('ledger_entries') AS added WHERE added > 0 LIMIT $1`,
  },
  {
    name: 'months of charges',
    sql: `SELECT FROM add_ledger_month('charges_ended') AS added WHERE added > 0 LIMIT $1`,
  },
];

/**
 * Rows of one table that are deleted once they reach an age, oldest first: those of the condition `where`. `key`: the columns of its
 * primary key, separated by commas. `column`: by which the age is counted, that of the index which finds the rows.
 */
function old(
  name: StatementName,
  table: string,
  ageMs: number,
  { key = 'id', column = 'created_at', where = 'true' } = {},
) {
  return { name, table, ageMs, key, column, where };
}

/** Rows that are deleted at an age. Each column has an index. */
export const oldRows = [
  // The charge of a tombstone can no longer arrive: a message lives for seconds.
  old('old tombstones', 'charge_tombstones', dayMs, { key: 'charge_id' }),
  // They took no credits. Each is kept for 60 s: its message may arrive twice within 5 s and must get the same answer.
  old('refused charges', 'charges', 60_000, { key: 'id, created_at', where: "state = 'refused'" }),
  // Counted from the last answer to their caller.
  old('old idempotency keys', 'idempotency_keys', dayMs, { key: 'scope, key_hash', column: 'answered_at' }),
  // They have expired, and no longer count towards a limit.
  old('old invitations', 'invitations', invitationForMs),
  old('old sessions', 'sessions', dayMs, { column: 'expires_at' }),
  // They ended long before, and no longer count towards the limits of their address.
  old('old sign-ins', 'sign_ins', signInKeptForMs),
  // The same notice can no longer be due. Its deliveries are deleted with it.
  old('old notices', 'notices', 90 * dayMs),
  // They can no longer be paid.
  old('old orders', 'orders', 90 * dayMs, { column: 'ordered_at', where: "state IN ('expired', 'failed')" }),
  old('old audits', 'audits', 90 * dayMs, { column: 'ended_at' }),
  // Stripe neither sends nor lists them any longer.
  old('old payment events', 'payment_events', 30 * dayMs, { column: 'received_at' }),
  // Only the present day decides. A day begins at midnight UTC.
  old('old counts of abandoned calls', 'abandoned_calls', 7 * dayMs, {
    key: 'account_id, day',
    column: 'day',
  }),
  // No report shows more than the last 366 days. A day begins at midnight UTC.
  old('old counts of free calls', 'free_calls', 401 * dayMs, {
    key: 'account_id, day, key_id, operation',
    column: 'day',
  }),
];

/**
 * Deletes the charges of calls that cost nothing after 90 days, and keeps their number by day (a day is one in UTC): usage is the same
 * before and after. One statement, so that no reader sees a call twice or not at all. Served by `charges_free`.
 */
const oldFreeCalls = `
  WITH deleted AS (
    DELETE FROM charges
    WHERE (id, created_at) IN (
      SELECT id, created_at FROM charges
      WHERE credits = 0 AND state = 'posted' AND created_at <= (SELECT ledger_now()) - interval '90 days'
      ORDER BY created_at LIMIT $1
    )
    RETURNING account_id, key_id, operation, created_at
  ), counted AS (
    INSERT INTO free_calls AS known (account_id, day, key_id, operation, calls, last_at)
    SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, key_id, operation, count(*), max(created_at)
    FROM deleted GROUP BY 1, 2, 3, 4
    ON CONFLICT ON CONSTRAINT free_calls_pk
      DO UPDATE SET calls = known.calls + excluded.calls, last_at = greatest(known.last_at, excluded.last_at)
  )
  SELECT FROM deleted`;

/**
 * Deletes the keys that were deleted 90 days ago and that no charge names: they never took credits. A key whose oldest charge took
 * credits is named by it for good: it is marked, so that no sweep looks at it again. One whose oldest charge is a free one waits until
 * that has been deleted. Served by `api_keys_deleted` and `charges_of_key`.
 */
const oldKeys = `
  WITH old AS (
    SELECT id, (SELECT credits FROM charges WHERE key_id = api_keys.id ORDER BY created_at LIMIT 1) AS oldest
    FROM api_keys
    WHERE deleted_at IS NOT NULL AND NOT is_kept AND deleted_at <= (SELECT ledger_now()) - interval '90 days'
    ORDER BY deleted_at LIMIT $1
  ), kept AS (
    UPDATE api_keys SET is_kept = true FROM old WHERE api_keys.id = old.id AND oldest > 0 RETURNING 1
  ), deleted AS (
    DELETE FROM api_keys USING old WHERE api_keys.id = old.id AND oldest IS NULL RETURNING 1
  )
  SELECT FROM kept UNION ALL SELECT FROM deleted`;

/**
 * Forgets from which networks accounts were opened, once that no longer counts towards a limit. Served by `accounts_signed_up`, which
 * has only what is not yet forgotten. An account that is locked is left for later.
 */
const signUpNetworks = `
  UPDATE accounts SET signed_up_from = NULL WHERE id IN (
    SELECT id FROM accounts
    WHERE signed_up_from IS NOT NULL AND created_at <= (SELECT ledger_now()) - interval '24 hours'
    LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
  ) RETURNING 1`;

/** In the order in which they run: keys come after the charges that name them. */
export const sweepStatements: readonly SweepStatement[] = [
  { name: 'old free calls', sql: oldFreeCalls },
  ...oldRows.map((rows) => ({ name: rows.name, sql: deletionOf(rows) })),
  { name: 'old keys', sql: oldKeys },
  { name: 'networks of sign-ups', sql: signUpNetworks },
];

/** The condition is repeated, because PostgreSQL checks only the part outside of the subquery again when a row has changed. */
function deletionOf({ table, key, column, ageMs, where }: ReturnType<typeof old>): string {
  const isOld = `${where} AND ${column} <= (SELECT ledger_now()) - interval '${ageMs} milliseconds'`;
  return `
    DELETE FROM ${table} WHERE (${isOld}) AND (${key}) IN (
      SELECT ${key} FROM ${table} WHERE ${isOld} ORDER BY ${column} LIMIT $1
    ) RETURNING 1`;
}

/** A statement as a step of the sweep. */
export function toStep({ query }: Queryable, { name, sql }: SweepStatement): SweepStep {
  return { name, run: async (batchSize) => (await query(name, sql, [batchSize])).length };
}
