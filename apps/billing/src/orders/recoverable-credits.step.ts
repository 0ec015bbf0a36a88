import { Injectable } from '@nestjs/common';
import { LotRefundsService } from '../credits/lot-refunds.service.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { AccountSweepStep } from '../schedule/account-sweep-step.js';
import { OrdersRepository } from './orders.repository.js';
import { ReturnedCredits } from './returned-credits.js';

/** Served by `orders_not_recovered` and `lot_refunds_not_recovered`. An older lot has expired. */
const dueSql = `
  SELECT DISTINCT lots.account_id
  FROM (
    SELECT lot_id, granted_at AS since, credits_not_recovered FROM orders
    UNION ALL SELECT lot_id, created_at, credits_not_recovered FROM lot_refunds
  ) AS missing JOIN lots ON lots.id = missing.lot_id
  WHERE credits_not_recovered > 0 AND since > (SELECT ledger_now()) - interval '31 days'
    AND lots.remaining > 0 AND lots.expires_at > (SELECT ledger_now()) AND lots.account_id <> ALL($2::uuid[])
  LIMIT $1`;

/**
 * Takes back what could not be taken when the money went back, once it is there: credits that a voided charge has returned
 * to the lot of a refunded order, or to a refunded lot. Runs after overdue charges are voided.
 */
@Injectable()
export class RecoverableCreditsStep extends AccountSweepStep {
  readonly name = 'recoverable credits';
  protected readonly dueSql = dueSql;

  constructor(
    transactions: AccountTransactions,
    private readonly orders: OrdersRepository,
    private readonly returned: ReturnedCredits,
    private readonly lotRefunds: LotRefundsService,
  ) {
    super(transactions);
  }

  protected async apply(locked: LockedAccounts): Promise<number> {
    let recovered = 0;
    for (const order of await this.orders.notRecovered(locked)) {
      const { lotId } = order;
      if (lotId === null || !(await this.returned.settle(locked, { ...order, lotId }))) continue;
      recovered += 1;
    }
    return recovered + (await this.lotRefunds.recover(locked));
  }
}
