import { type UsageReply, type UsageRequest, type UsageRow } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { findAccount } from '../accounts/accounts.repository.js';
import { readingFrom } from '../database/query.js';

/** Served by `charges_of_account`. A call counts once it has been posted; one that cost nothing is posted at once. */
const usageSql = `
  SELECT to_char(created_at, 'YYYY-MM-DD') AS day, key_id, operation,
    count(*)::integer AS calls, sum(credits)::integer AS credits
  FROM charges
  WHERE account_id = $1 AND state = 'posted'
    AND created_at >= $2::date AND created_at < $3::date + 1
  GROUP BY 1, 2, 3
  ORDER BY 1, 2, 3`;

/** Calls that were answered and the credits they cost, by UTC day, key and operation. */
@Injectable()
export class UsageService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Raises `not_found` without the account. */
  async usage({ account_id, from, to }: UsageRequest): Promise<UsageReply> {
    const query = readingFrom(this.dataSource);
    await findAccount(query, account_id);
    return { from, to, usage: await query<UsageRow>(usageSql, [account_id, from, to]) };
  }
}
