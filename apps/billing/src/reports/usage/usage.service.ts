import { type Usage, type UsageRequest, type UsageRow } from '#contracts';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { reportsPool } from '../../database/data-source.js';

/**
 * Hand-written: aggregates day by day, each day served by `charges_of_account`: grouped over the whole range, a million
 * calls are sorted on disk and take three times as long. A call counts once it has been posted; one that cost nothing
 * is posted at once. Free calls whose charges have been deleted are in
 * `free_calls`, by its primary key. As many months as a report can have stay in the database.
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
        AND created_at >= $2::date::timestamptz AND created_at < ($3::date + 1)::timestamptz
        AND created_at >= (SELECT ledger_online_since())
      GROUP BY key_id, operation
      UNION ALL
      SELECT key_id, operation, calls, 0 FROM free_calls
      WHERE account_id = $1 AND free_calls.day = days.day::date
    ) AS counted
    GROUP BY key_id, operation
  ) AS of_day
  ORDER BY 1, 2, 3`;

/** Calls that were answered and the credits they cost, by UTC day, key and operation. */
@Injectable()
export class UsageService {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly accounts: AccountsRepository,
  ) {}

  /** Throws `not_found` without the account. */
  async show({ account_id, from, to }: UsageRequest): Promise<Usage> {
    await this.accounts.get(this.reports, account_id);
    const usage = await this.reports.query<UsageRow>('sum charges by day', usageSql, [account_id, from, to]);
    return { from, to, usage };
  }
}
