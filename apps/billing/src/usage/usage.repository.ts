import { type UsageRow } from '@app/contracts';
import { type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';

/**
 * Hand-written: aggregates day by day, each day served by `charges_of_account`: grouped over the whole range, a million
 * calls are sorted on disk and take three times as long. A call counts once it has been posted; one that cost nothing
 * is posted at once.
 */
const usageSql = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, key_id, operation, calls, credits
  FROM generate_series($2::date::timestamptz, $3::date::timestamptz, interval '1 day') AS day
  CROSS JOIN LATERAL (
    SELECT key_id, operation, count(*)::integer AS calls, sum(credits)::float8 AS credits
    FROM charges
    WHERE account_id = $1 AND state = 'posted' AND created_at >= day AND created_at < day + interval '1 day'
    GROUP BY key_id, operation
  ) AS of_day
  ORDER BY 1, 2, 3`;

/** Sums of calls and credits. */
@Injectable()
export class UsageRepository {
  /** Usage of the UTC days from `from` to `to`, by key and operation. */
  byDay({ query }: Queryable, accountId: string, from: string, to: string): Promise<UsageRow[]> {
    return query<UsageRow>('sum charges by day', usageSql, [accountId, from, to]);
  }
}
