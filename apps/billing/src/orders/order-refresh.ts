import { isId } from '@app/contracts';
import { counter } from '@app/platform';
import { Injectable, Logger } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { OverdueCharges } from '../ledger/charges/overdue-charges.js';
import { expiryOf, LotsRepository } from '../ledger/lots/lots.repository.js';
import { NoticesService } from '../notices/notices.service.js';
import { lotReference } from '../purchases/order-reference.js';
import { type Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';
import { StripePayments } from './provider/stripe-payments.js';
import { ReturnedCredits } from './returned-credits.js';
import { type Answer, applyPaymentState, type OrderChange } from './rules/apply-payment-state.js';
import { type PaymentState } from './rules/payment-state.js';

/** Who found out that something may have changed. */
export type Cause = 'event' | 'return_page' | 'reconciliation' | 'operator';

const reached = counter('orders_reached_total', 'Orders that reached a state, and through what.', [
  'state',
  'cause',
]);
const mismatches = counter(
  'payments_not_granted_total',
  'Payments that are not what was ordered: nothing was granted, and an operator has to look.',
);

/**
 * Asks Stripe how an order is paid now, and makes it so. The credits of an order are granted here and nowhere else, in one
 * transaction under the lock of the account.
 */
@Injectable()
export class OrderRefresh {
  private readonly logger = new Logger(OrderRefresh.name);

  constructor(
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
    private readonly overdue: OverdueCharges,
    private readonly lots: LotsRepository,
    private readonly returned: ReturnedCredits,
    private readonly notices: NoticesService,
  ) {}

  /**
   * Returns the order as it is then. Throws when Stripe does not answer, and `UnknownToProvider` when it does not know the
   * session; an order without one is returned as it is.
   */
  async refresh(order: Order, cause: Cause, sessionId = order.checkoutSessionId): Promise<Order> {
    if (sessionId === null) return order;
    const number = await this.orders.beginRefresh(order.id);
    const payment = await this.stripe.paymentOf(sessionId);
    return this.overdue.runWithAllVoided(order.accountId, (locked) =>
      this.apply(locked, { orderId: order.id, payment, number, cause }),
    );
  }

  /** The same for the order of a session; does nothing when that is none of ours. */
  async refreshSession(sessionId: string, cause: Cause): Promise<void> {
    const known = await this.orders.findBySession(sessionId);
    const order = known ?? (await this.orderNamed((await this.stripe.findSession(sessionId)).reference));
    if (order) await this.refresh(order, cause, sessionId);
  }

  /** The same for the order of a payment; does nothing when that is none of ours. */
  async refreshPayment(paymentIntentId: string, cause: Cause): Promise<void> {
    const known = await this.orders.findByPayment(paymentIntentId);
    if (known) {
      await this.refresh(known, cause);
      return;
    }
    const session = await this.stripe.findSessionOfPayment(paymentIntentId);
    const order = session && (await this.orderNamed(session.reference));
    if (order) await this.refresh(order, cause, session.sessionId);
  }

  private async orderNamed(reference: string | null): Promise<Order | null> {
    return isId(reference) ? this.orders.find(reference) : null;
  }

  private async apply(
    locked: LockedAccounts,
    { orderId, payment, number, cause }: AnswerForOrder,
  ): Promise<Order> {
    const order = await this.required(locked, orderId);
    const change = applyPaymentState(order, { number, payment }, this.stripe);
    if (change.kind === 'stale') return order;
    const heard = { refreshApplied: number, checkedAt: locked.now };
    if (change.kind !== 'change') {
      await this.orders.change(locked, orderId, heard);
      if (change.kind === 'mismatch') this.report(order, change.problem);
      return order;
    }
    await this.change(locked, order, payment, { ...change, ...heard });
    if (change.state !== order.state) {
      locked.onCommit(() => reached.inc({ state: change.state, cause }));
    }
    return this.required(locked, orderId);
  }

  private async change(
    locked: LockedAccounts,
    order: Order,
    payment: PaymentState,
    { state, isGranted, returnedCents, refreshApplied, checkedAt }: HeardChange,
  ): Promise<void> {
    const grant: Partial<Grant> = isGranted ? await this.grant(locked, order) : {};
    await this.orders.change(locked, order.id, {
      state,
      checkoutSessionId: payment.sessionId,
      checkoutExpiresAt: payment.expiresAt,
      paymentIntentId: payment.paymentIntentId,
      receiptUrl: payment.receiptUrl ?? order.receiptUrl,
      refreshApplied,
      checkedAt,
      ...grant,
    });
    const lotId = grant.lotId ?? order.lotId;
    if (lotId !== null && returnedCents !== order.returnedCents) {
      await this.returned.settle(locked, { ...order, lotId, returnedCents });
    }
  }

  /** What was paid is never refused, however many credits the account has. The receipt is told of by the same transaction. */
  private async grant(locked: LockedAccounts, order: Order): Promise<Grant> {
    const { id: orderId, accountId, pack, credits, priceCents } = order;
    const bought = { accountId, pack, credits, priceCents };
    const [reference, purchasedAt] = [lotReference(orderId), locked.now];
    const lotId = await this.lots.insertPurchased(locked, { ...bought, reference, purchasedAt });
    const expiresAt = expiryOf(purchasedAt);
    await this.notices.paymentReceived(locked, { ...bought, orderId, expiresAt });
    return { lotId, grantedAt: purchasedAt };
  }

  private report({ id, accountId }: Order, problem: string): void {
    mismatches.inc();
    this.logger.error(`The payment of order ${id} of account ${accountId} is not granted: ${problem}.`);
  }

  private async required(locked: LockedAccounts, orderId: string): Promise<Order> {
    const order = await this.orders.find(orderId, locked);
    if (!order) throw new Error(`order ${orderId} is missing`);
    return order;
  }
}

interface AnswerForOrder extends Answer {
  readonly orderId: string;
  readonly cause: Cause;
}

type HeardChange = Extract<OrderChange, { kind: 'change' }> & Pick<Order, 'refreshApplied' | 'checkedAt'>;

interface Grant {
  readonly lotId: string;
  readonly grantedAt: Date;
}
