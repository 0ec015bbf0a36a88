import { Injectable } from '@nestjs/common';
import { LotRefundsService } from '../credits/lot-refunds.service.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { AccountSweepStep } from '../schedule/account-sweep-step.js';
import { OrdersRepository } from './orders.repository.js';
import { ReturnedCredits } from './returned-credits.js';

/** Each order takes some statements under the account's lock: few accounts per batch keep charges from waiting long. */
const accountsMax = 50;

/**
 * Takes back what could not be taken when the money went back, once it is there: credits that a voided charge has returned
 * to the lot of a refunded order, or to a refunded lot. Runs after overdue charges are voided.
 */
@Injectable()
export class RecoverableCreditsStep extends AccountSweepStep {
  readonly name = 'recoverable credits';

  constructor(
    transactions: AccountTransactions,
    private readonly orders: OrdersRepository,
    private readonly returned: ReturnedCredits,
    private readonly lotRefunds: LotRefundsService,
  ) {
    super(transactions);
  }

  protected async due(batchSize: number, except: string[]): Promise<string[]> {
    const max = Math.min(batchSize, accountsMax);
    const [ofOrders, ofLots] = await Promise.all([
      this.orders.accountsWithRecoverable(max, except),
      this.lotRefunds.accountsWithRecoverable(max, except),
    ]);
    return [...new Set([...ofOrders, ...ofLots])];
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
