import { type UsageRow } from '@app/contracts';
import { type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';

/**
 * Hand-written: aggregates day by day, each day served by `charges_of_account`: grouped over the whole range, a million
 * calls are sorted on disk and take three times as long. A call counts once it has been posted; one that cost nothing
 * is posted at once. Free calls whose charges have been deleted are in `free_calls`, served by its primary key.
 */
const usageSql = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, key_id, operation, calls, credits
  FROM generate_series($2::date::timestamptz, $3::date::timestamptz, interval '1 day') AS days (day)
  CROSS JOIN LATERAL (
    SELECT key_id, operation, sum(calls)::integer AS calls, sum(credits)::float8 AS credits
    FROM (
      SELECT key_id, operation, count(*) AS calls, sum(credits) AS credits
      FROM charges
      WHERE account_id = $1 AND state = 'posted' AND created_at >= day AND created_at < day + interval '1 day'
      GROUP BY key_id, operation
      UNION ALL
      SELECT key_id, operation, calls, 0 FROM free_calls
      WHERE account_id = $1 AND free_calls.day = days.day::date
    ) AS counted
    GROUP BY key_id, operation
  ) AS of_day
  ORDER BY 1, 2, 3`;

/**
 * Hand-written: one statement, so that no reader sees a call twice or not at all. Served by `charges_free`. A day is one in
 * UTC, as in reports.
 */
const countOldSql = `
  WITH deleted AS (
    DELETE FROM charges
    WHERE id IN (
      SELECT id FROM charges
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

/** Sums of calls and credits. */
@Injectable()
export class UsageRepository {
  /** Usage of the UTC days from `from` to `to`, by key and operation. */
  byDay({ query }: Queryable, accountId: string, from: string, to: string): Promise<UsageRow[]> {
    return query<UsageRow>('sum charges by day', usageSql, [accountId, from, to]);
  }

  /** Counts at most `max` free calls older than 90 days by day, and deletes their charges; resolves to their number. */
  async countOldFreeCalls({ query }: Queryable, max: number): Promise<number> {
    const [row] = await query<{ deleted: number }>('delete free charges', countOldSql, [max]);
    return row?.deleted ?? 0;
  }
}
