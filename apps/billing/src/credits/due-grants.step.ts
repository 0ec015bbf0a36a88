import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { AccountSweepStep } from '../schedule/account-sweep-step.js';
import { AgreementsService } from './agreements.service.js';

/** Hand-written: compares with the clock of the database; served by `agreements_due`. */
const dueSql = `
  SELECT account_id FROM agreements
  WHERE ended_at IS NULL AND next_due_at <= (SELECT ledger_now()) AND account_id <> ALL($2::uuid[])
  ORDER BY next_due_at LIMIT $1`;

/** Makes the grants of agreements within one sweep of their due date. */
@Injectable()
export class DueGrantsStep extends AccountSweepStep {
  readonly name = 'due grants';
  protected readonly dueSql = dueSql;

  constructor(
    transactions: AccountTransactions,
    private readonly agreements: AgreementsService,
  ) {
    super(transactions);
  }

  protected async apply(locked: LockedAccounts): Promise<number> {
    let granted = 0;
    for (const accountId of locked.accountIds) {
      const agreement = await this.agreements.findRunning(locked, accountId);
      if (agreement) granted += await this.agreements.grantDue(locked, agreement);
    }
    return granted;
  }
}
