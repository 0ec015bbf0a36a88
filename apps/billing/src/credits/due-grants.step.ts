import { type Managed } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';
import { NoticesService } from '../notices/notices.service.js';
import { AccountSweepStep } from '../schedule/account-sweep-step.js';
import { Agreement } from './credits.entity.js';
import { dueDate } from './packs.js';
import { grantReference } from './references.js';

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
    private readonly lots: LotsRepository,
    private readonly notices: NoticesService,
  ) {
    super(transactions);
  }

  protected async apply(locked: LockedAccounts): Promise<number> {
    let granted = 0;
    for (const accountId of locked.accountIds) {
      const agreement = await findRunning(locked, accountId);
      if (agreement) granted += await this.grantDue(locked, agreement);
    }
    return granted;
  }

  /**
   * Makes each due grant of an agreement once, also grants that fell due while no replica ran. The lot expires 30
   * days after its grant. Returns the number of grants.
   */
  async grantDue(locked: LockedAccounts, agreement: Agreement): Promise<number> {
    const { id, accountId, credits, priceCents, startsAt } = agreement;
    const terms = { accountId, pack: 'enterprise', credits, priceCents, purchasedAt: locked.now } as const;
    let { grants } = agreement;
    let due = dueDate(startsAt, grants);
    while (due.getTime() <= locked.now.getTime()) {
      await this.lots.insertPurchased(locked, { ...terms, reference: grantReference(id, due) });
      grants += 1;
      due = dueDate(startsAt, grants);
    }
    const granted = grants - agreement.grants;
    if (granted === 0) return 0;
    await locked.manager.update(Agreement, { id: agreement.id }, { grants, nextDueAt: due });
    await this.notices.packAdded(locked, agreement.accountId, agreement.credits);
    return granted;
  }
}

/** Served by `agreements_one_running`. */
export function findRunning({ manager }: Managed, accountId: string): Promise<Agreement | null> {
  return manager.findOneBy(Agreement, { accountId, endedAt: IsNull() });
}
