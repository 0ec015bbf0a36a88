import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';
import { grantReference } from '../purchases/grant-reference.js';
import { type Agreement } from './agreement.entity.js';
import { AgreementsRepository } from './agreements.repository.js';
import { dueDate } from './due-dates.js';

/** Makes the monthly grants of agreements. */
@Injectable()
export class DueGrants {
  constructor(
    private readonly agreements: AgreementsRepository,
    private readonly lots: LotsRepository,
  ) {}

  /**
   * Makes each due grant of an agreement once, including those that fell due while no replica ran. The lot expires 30
   * days after its grant. Returns the number of grants.
   */
  async grant(locked: LockedAccounts, agreement: Agreement): Promise<number> {
    let { grants } = agreement;
    let due = dueDate(agreement.startsAt, grants);
    while (due.getTime() <= locked.now.getTime()) {
      await this.lots.insertPurchased(locked, {
        accountId: agreement.accountId,
        pack: 'enterprise',
        reference: grantReference(agreement.id, due),
        credits: agreement.credits,
        priceCents: agreement.priceCents,
        purchasedAt: locked.now,
      });
      grants += 1;
      due = dueDate(agreement.startsAt, grants);
    }
    const granted = grants - agreement.grants;
    if (granted > 0) await this.agreements.noteGrant(locked, agreement.id, grants, due);
    return granted;
  }

  /** Makes the due grants of accounts that are locked already; returns their number. */
  async grantToAccounts(locked: LockedAccounts): Promise<number> {
    let granted = 0;
    for (const accountId of locked.accountIds) {
      const agreement = await this.agreements.findRunning(locked, accountId);
      if (agreement) granted += await this.grant(locked, agreement);
    }
    return granted;
  }
}
