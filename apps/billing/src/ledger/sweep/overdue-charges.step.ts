import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { OverdueCharges } from '../charges/overdue-charges.js';
import { AccountSweepStep } from '../../schedule/tasks/account-sweep-step.js';
import { SweepRepository } from './sweep.repository.js';

/** Voids the charges that were not settled in time: balances include their credits already, now the entries do too. */
@Injectable()
export class OverdueChargesStep extends AccountSweepStep {
  readonly name = 'overdue charges';

  constructor(
    transactions: AccountTransactions,
    private readonly repository: SweepRepository,
    private readonly overdue: OverdueCharges,
  ) {
    super(transactions);
  }

  protected due(batchSize: number, except: string[]): Promise<string[]> {
    return this.repository.accountsWithOverdueCharges(batchSize, except);
  }

  protected apply(locked: LockedAccounts, batchSize: number): Promise<number> {
    return this.overdue.voidAll(locked, batchSize);
  }
}
