import { counter } from '#platform';
import { Injectable } from '@nestjs/common';
import { Adjustment } from '../credits/credits.entity.js';
import { AdjustmentsService } from '../credits/adjustments.service.js';
import { planReturn, type ReturnPlan } from '../credits/plan-return.js';
import { returnReference } from '../credits/references.js';
import { type LockedAccounts } from '../database/account-transactions.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';
import { isExpired } from '../ledger/rules/allocate.js';
import { type Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';
import { creditsOwed, paidCents } from './rules/credits-to-return.js';

const credits = counter(
  'order_credits_returned_total',
  'Credits of orders whose money went back: taken back, given back when the money returned, or not recovered at first.',
  ['outcome'],
);

/** A granted order, and what went back of its money by now. */
type GrantedOrder = Pick<
  Order,
  'id' | 'accountId' | 'credits' | 'priceCents' | 'totalCents' | 'creditsTakenBack' | 'creditsNotRecovered'
> & { readonly lotId: string; readonly returnedCents: number };

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
    const owed = creditsOwed({ ...order, paidCents: paidCents(order) });
    const plan = planReturn(
      { owed, creditsTakenBack: order.creditsTakenBack },
      { remaining: lot.remaining, isExpired: isExpired(lot, locked.now) },
    );
    if (plan.change !== 0) await this.adjust(locked, order, plan.change);
    const { creditsTakenBack, creditsNotRecovered } = plan;
    const { returnedCents } = order;
    await this.orders.change(locked, order.id, {
      returnedCents,
      creditsTakenBack,
      creditsNotRecovered,
      // An order that operators have written off needs attention again when more credits are missing.
      ...(creditsNotRecovered > order.creditsNotRecovered && { acceptedAt: null }),
    });
    locked.onCommit(() => count(order, plan));
    return plan.change !== 0;
  }

  private async adjust(locked: LockedAccounts, order: GrantedOrder, credits: number): Promise<void> {
    const { id: orderId, accountId, lotId } = order;
    const number = (await locked.manager.countBy(Adjustment, { orderId })) + 1;
    const reference = returnReference(orderId, number);
    const reason = reasonOf(order, credits);
    const adjustment = { accountId, credits, reason, reference, lotId, orderId, refundedLotId: null };
    await this.adjustments.record(locked, adjustment, [{ lotId, credits }]);
  }
}

function reasonOf(order: GrantedOrder, change: number): string {
  const money = `${dollars(order.returnedCents)} of ${dollars(paidCents(order))}`;
  return change < 0
    ? `Taken back: ${money} of the order went back to the buyer.`
    : `Given back: of the order's money, ${money} is with the buyer now.`;
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

function count(order: GrantedOrder, { change, creditsNotRecovered }: ReturnPlan): void {
  credits.inc({ outcome: change < 0 ? 'taken_back' : 'given_back' }, Math.abs(change));
  credits.inc({ outcome: 'not_recovered' }, Math.max(0, creditsNotRecovered - order.creditsNotRecovered));
}
