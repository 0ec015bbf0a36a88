import { type Usage, type UsageRequest } from '@app/contracts';
import { InjectTransactionRunner, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { reportsPool } from '../../database/data-source.js';
import { UsageRepository } from './usage.repository.js';

/** Calls that were answered and the credits they cost, by UTC day, key and operation. */
@Injectable()
export class UsageService {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly calls: UsageRepository,
  ) {}

  /** Throws `not_found` without the account. */
  async usage({ account_id, from, to }: UsageRequest): Promise<Usage> {
    await this.accounts.get(this.reports, account_id);
    return { from, to, usage: await this.calls.byDay(this.reports, account_id, from, to) };
  }
}
