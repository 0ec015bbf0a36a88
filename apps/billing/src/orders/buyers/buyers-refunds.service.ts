import { type RefundOwnOrderRequest, ServiceError } from '#contracts';
import { messageOf } from '#platform';
import { type ChangeContext } from '#platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { hasAbandonedCalls } from '../../ledger/charges/abandoned-days.js';
import { OverdueCharges } from '../../ledger/charges/overdue-charges.js';
import { LotsRepository } from '../../ledger/lots/lots.repository.js';
import { OrderDecisionsService } from '../operators/order-decisions.service.js';
import { OrderRefresh } from '../order-refresh.js';
import { type Order } from '../order.entity.js';
import { OrdersRepository } from '../orders.repository.js';
import { ReturnedCredits } from '../returned-credits.js';
import { paidCents } from '../rules/credits-to-return.js';
import { refusalOfRefund } from '../rules/buyers-refund.js';
import { refundable } from './refund-offer.js';

const dayMs = 24 * 3_600_000;
/** Stripe keeps its fee for a payment that is refunded. */
const refundsMax = 3;
const refundsWithinMs = 30 * dayMs;

/**
 * Refunds that buyers ask for. The credits are taken back first, under the lock of the account, so that no call can use them; then
 * the payment is refunded as operators refund it. Only a refusal of Stripe gives them back: while nothing is known, they are held.
 */
@Injectable()
export class BuyersRefunds {
  private readonly logger = new Logger(BuyersRefunds.name);

  constructor(
    private readonly overdue: OverdueCharges,
    private readonly accounts: AccountsRepository,
    private readonly orders: OrdersRepository,
    private readonly lots: LotsRepository,
    private readonly returned: ReturnedCredits,
    private readonly refreshing: OrderRefresh,
    private readonly decisions: OrderDecisionsService,
  ) {}

  /** The order as it is then. Throws as `refundOwnOrder` says. */
  async refund(request: RefundOwnOrderRequest, by: ChangeContext = {}): Promise<Order> {
    const { account_id: accountId, order_id: orderId, person_id } = request;
    const take = (locked: LockedAccounts) => this.takeCredits(locked, accountId, orderId);
    if (await this.overdue.runWithAllVoided(accountId, take, by)) {
      this.logger.log(`Person ${person_id} asks for a refund of order ${orderId} of account ${accountId}.`);
      await this.complete(orderId);
    }
    return this.orders.required(orderId);
  }

  /**
   * Refunds the payment of an order whose refund is pending. Without an answer of Stripe it stays pending; throws `conflict` when
   * Stripe refuses it.
   */
  async complete(orderId: string): Promise<void> {
    try {
      await this.decisions.refund(orderId, 'requested_by_customer');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code !== 'conflict') {
        this.logger.warn(`The refund of order ${orderId} is tried again later: ${messageOf(error)}`);
        return;
      }
      await this.giveUp(orderId, error);
    }
  }

  /** Whether they were taken now: not when a refund is pending, or was made. */
  private async takeCredits(locked: LockedAccounts, accountId: string, orderId: string): Promise<boolean> {
    const order = await this.orders.find(orderId, locked);
    if (order?.accountId !== accountId) {
      throw new ServiceError('not_found', 'There is no order with this id.');
    }
    if (order.refundPending || (order.refundRequestedAt !== null && isAllBack(order))) return false;
    await this.accounts.requireNotSuspended(locked, accountId);
    const lot = order.lotId === null ? null : await this.lots.get(locked, order.lotId);
    const refusal = refusalOfRefund(refundable(order), lot?.remaining ?? 0, locked.now);
    if (refusal !== null) throw new ServiceError('conflict', refusal);
    if (await hasAbandonedCalls(locked, accountId, order.grantedAt)) {
      throw new ServiceError(
        'conflict',
        'Calls that were left before their end were made since, so it was not refunded.',
      );
    }
    if (!lot) throw new Error(`order ${orderId} was granted without a lot`);
    await this.refuseTooMany(locked, accountId);
    const requested = { refundPending: true, refundRequestedAt: locked.now };
    await this.orders.change(locked, orderId, requested);
    await this.returned.settle(locked, { ...order, ...requested, lotId: lot.id });
    return true;
  }

  private async refuseTooMany(locked: LockedAccounts, accountId: string): Promise<void> {
    const since = new Date(locked.now.getTime() - refundsWithinMs);
    if ((await this.orders.countRefundsRequested(locked, accountId, since)) < refundsMax) return;
    throw new ServiceError(
      'conflict',
      `${refundsMax} orders were refunded within 30 days. Contact us to have this one refunded.`,
    );
  }

  /** Stripe has decided against it. What it says about the order now, such as a dispute, comes first. */
  private async giveUp(orderId: string, refusal: ServiceError): Promise<void> {
    const order = await this.orders.required(orderId);
    await this.refreshing.refresh(order, 'event').catch((error: unknown) => {
      this.logger.warn(`Order ${orderId} is refreshed later: ${messageOf(error)}`);
    });
    const giveBack = (locked: LockedAccounts) => this.giveBack(locked, orderId);
    if (!(await this.overdue.runWithAllVoided(order.accountId, giveBack))) return;
    this.logger.error(
      new Error(`The refund that the buyer of order ${orderId} asked for was refused.`, { cause: refusal }),
    );
    throw new ServiceError(
      'conflict',
      'The payment provider refused the refund. Contact us about this order.',
      {
        cause: refusal,
      },
    );
  }

  /** Whether it was still pending. */
  private async giveBack(locked: LockedAccounts, orderId: string): Promise<boolean> {
    const order = await this.orders.required(orderId, locked);
    const { lotId } = order;
    if (!order.refundPending || lotId === null) return false;
    await this.orders.change(locked, orderId, { refundPending: false });
    await this.returned.settle(locked, { ...order, refundPending: false, lotId });
    return true;
  }
}

function isAllBack(order: Order): boolean {
  return order.returnedCents >= paidCents(order);
}
