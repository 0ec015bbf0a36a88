import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { AccountSweepStep } from '../sweep-steps/account-sweep-step.js';
import { AgreementsRepository } from './agreements.repository.js';
import { DueGrants } from './due-grants.js';

/** Each grant takes four statements under the account's lock: few accounts per batch keep charges from waiting long. */
const accountsMax = 50;

/** Makes the grants of agreements within one sweep of their due date. */
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
