import { type UsageReply, type UsageRequest, type UsageRow } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { findAccount } from '../accounts/accounts.repository.js';
import { reportsPool } from '../database/data-source.js';
import { autocommitQuery } from '../database/query.js';

/**
 * A call counts once it has been posted; one that cost nothing is posted at once. Day by day, each served by
 * `charges_of_account`: grouped over the whole range, a million calls are sorted on disk and take three times as long.
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

/** Calls that were answered and the credits they cost, by UTC day, key and operation. */
@Injectable()
export class UsageService {
  constructor(@InjectDataSource(reportsPool) private readonly reports: DataSource) {}

  /** Throws `not_found` without the account. */
  async usage({ account_id, from, to }: UsageRequest): Promise<UsageReply> {
    const query = autocommitQuery(this.reports);
    await findAccount(query, account_id);
    return { from, to, usage: await query<UsageRow>(usageSql, [account_id, from, to]) };
  }
}
