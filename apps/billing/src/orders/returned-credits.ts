import { Injectable } from '@nestjs/common';
import { AdjustmentsService } from '../credits/adjustments.service.js';
import { type LockedAccounts } from '../database/account-transactions.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';
import { type Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';
import { creditsOwed, paidCents, type ReturnedOrder } from './rules/credits-to-return.js';

/** A granted order, and what went back of its money by now. */
type GrantedOrder = ReturnedOrder &
  Pick<Order, 'id' | 'creditsTakenBack' | 'creditsNotRecovered'> & { readonly lotId: string };

/** Takes credits back when their price is returned, only from the lot of the order. */
@Injectable()
export class ReturnedCredits {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly lots: LotsRepository,
    private readonly adjustments: AdjustmentsService,
  ) {}

  /**
   * Brings the lot in line with the money: takes what is missing as far as it is there, or gives back what was taken.
   * Overdue charges of the account must have been voided. Returns whether credits moved.
   */
  async settle(locked: LockedAccounts, order: GrantedOrder): Promise<boolean> {
    const lot = await this.lots.get(locked, order.lotId);
    const { id: orderId, returnedCents, creditsTakenBack } = order;
    const owed = creditsOwed(order);
    const money = { owed, creditsTakenBack, orderId, reason: reasonOf(order, owed) };
    const { change, ...returned } = await this.adjustments.followMoney(locked, lot, money);
    await this.orders.change(locked, orderId, {
      returnedCents,
      ...returned,
      // An order that operators have written off needs attention again when more credits are missing.
      ...(returned.creditsNotRecovered > order.creditsNotRecovered && { acceptedAt: null }),
    });
    return change !== 0;
  }
}

function reasonOf(order: GrantedOrder, owed: number): string {
  const money = `${dollars(order.returnedCents)} of ${dollars(paidCents(order))}`;
  return owed > order.creditsTakenBack
    ? `Taken back: ${money} of the order went back to the buyer.`
    : `Given back: of the order's money, ${money} is with the buyer now.`;
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
