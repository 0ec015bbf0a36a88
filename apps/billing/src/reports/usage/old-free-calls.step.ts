import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/sweep.service.js';

/**
 * Hand-written: one statement, so that no reader sees a call twice or not at all. Served by `charges_free`. A day is one in
 * UTC, as in reports.
 */
const countOldSql = `
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
  SELECT count(*)::integer AS deleted FROM deleted`;

/**
 * Deletes the charges of calls that cost nothing after 90 days, and keeps their number by day: usage is the same before and
 * after. Locks no account, because nothing changes such a charge.
 */
@Injectable()
export class OldFreeCallsStep implements SweepStep {
  readonly name = 'old free calls';

  constructor(private readonly database: TransactionRunner) {}

  async run(batchSize: number): Promise<number> {
    const { query } = this.database;
    const [row] = await query<{ deleted: number }>('delete free charges', countOldSql, [batchSize]);
    return row?.deleted ?? 0;
  }
}
