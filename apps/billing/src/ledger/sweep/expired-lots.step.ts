import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { EntriesRepository } from '../entries/entries.repository.js';
import { AccountSweepStep } from '../../schedule/tasks/account-sweep-step.js';
import { SweepRepository } from './sweep.repository.js';

/** Writes off what is left in expired lots; it could not be spent since the instant of their expiry. */
@Injectable()
export class ExpiredLotsStep extends AccountSweepStep {
  readonly name = 'expired lots';

  constructor(
    transactions: AccountTransactions,
    private readonly repository: SweepRepository,
    private readonly entries: EntriesRepository,
  ) {
    super(transactions);
  }

  protected due(batchSize: number, except: string[]): Promise<string[]> {
    return this.repository.accountsWithExpiredLots(batchSize, except);
  }

  protected async apply(locked: LockedAccounts, batchSize: number): Promise<number> {
    const lots = await this.repository.expiredLots(locked, batchSize);
    await this.entries.insert(
      locked,
      lots.map((lot) => ({
        accountId: lot.account_id,
        lotId: lot.id,
        type: 'expiry' as const,
        credits: -lot.remaining,
      })),
    );
    return lots.length;
  }
}
