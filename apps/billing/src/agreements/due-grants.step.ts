import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { AccountSweepStep } from '../sweep-steps/account-sweep-step.js';
import { AgreementsRepository } from './agreements.repository.js';
import { DueGrants } from './due-grants.js';

/** Each account takes four statements a grant, under its lock: few, so that no charge waits for them for long. */
const accountsMax = 50;

/** Grants what agreements owe, within a sweep of its due date. */
@Injectable()
export class DueGrantsStep extends AccountSweepStep {
  readonly name = 'due grants';

  constructor(
    transactions: AccountTransactions,
    private readonly agreements: AgreementsRepository,
    private readonly grants: DueGrants,
  ) {
    super(transactions);
  }

  protected due(batchSize: number, except: string[]): Promise<string[]> {
    return this.agreements.accountsWithDueGrants(Math.min(batchSize, accountsMax), except);
  }

  protected apply(locked: LockedAccounts): Promise<number> {
    return this.grants.grantToAccounts(locked);
  }
}
