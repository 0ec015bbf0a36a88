import { Injectable, Logger } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { OverdueCharges } from '../ledger/charges/overdue-charges.js';
import { LostOrders } from './lost-orders.js';
import { type Order } from './order.entity.js';
import { type Cause, OrderTransitions, reviewed } from './order-transitions.js';
import { OrdersRepository } from './orders.repository.js';
import { backgroundBudget, viewBudget } from './provider/request-budget.js';
import { StripePayments } from './provider/stripe-payments.js';
import { type Answer, applyPaymentState } from './rules/apply-payment-state.js';
import { type PaymentState } from './rules/payment-state.js';
import { type Review } from './rules/review.js';

/** Asks Stripe how an order is paid now, and stores it, in one transaction under the lock of the account. */
@Injectable()
export class OrderRefresh {
  private readonly logger = new Logger(OrderRefresh.name);

  constructor(
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
    private readonly overdue: OverdueCharges,
    private readonly transitions: OrderTransitions,
    private readonly lost: LostOrders,
  ) {}

  /**
   * Returns the order as it is then. Throws when Stripe does not answer, and `UnknownToProvider` when it does not know the
   * session; an order without one is returned as it is.
   */
  async refresh(order: Order, cause: Cause, sessionId = order.checkoutSessionId): Promise<Order> {
    if (sessionId === null) return order;
    const number = await this.orders.beginRefresh(order.id);
    const budget = cause === 'return_page' ? viewBudget() : backgroundBudget();
    const payment = await this.stripe.paymentOf(sessionId, budget);
    return this.overdue.runWithAllVoided(order.accountId, (locked) =>
      this.apply(locked, { orderId: order.id, payment, number, cause }),
    );
  }

  /** The same for the order of a session; `null`: it is not one of ours. */
  async refreshSession(sessionId: string, cause: Cause): Promise<Order | null> {
    const known = await this.orders.findBySession(sessionId);
    const order = known ?? (await this.lost.findOrRestore(await this.stripe.findSession(sessionId)));
    return order && this.refresh(order, cause, sessionId);
  }

  /** The same for the order of a payment; `null`: it is not one of ours. */
  async refreshPayment(paymentIntentId: string, cause: Cause): Promise<Order | null> {
    const known = await this.orders.findByPayment(paymentIntentId);
    if (known) return this.refresh(known, cause);
    const session = await this.stripe.findSessionOfPayment(paymentIntentId);
    const order = session && (await this.lost.findOrRestore(session));
    return order && this.refresh(order, cause, session.sessionId);
  }

  private async apply(locked: LockedAccounts, { number, payment, ...found }: AnswerForOrder): Promise<Order> {
    const order = await this.orders.required(found.orderId, locked);
    const change = applyPaymentState(order, { number, payment }, this.stripe);
    if (change.kind === 'ignored') return order;
    if (change.kind === 'second_payment') {
      await this.orders.change(locked, order.id, reviewed(order, change.review, locked.now));
      this.report(locked, order, change.review);
      return this.orders.required(order.id, locked);
    }
    const answered = { refreshApplied: number, checkedAt: locked.now, answeredAt: locked.now };
    if (change.kind === 'nothing') {
      await this.orders.change(locked, order.id, answered);
      return this.orders.required(order.id, locked);
    }
    const { amounts, returnsPending } = change;
    this.report(locked, order, change.review);
    if (change.returnedCents > order.returnedCents) this.reportCurrency(locked, order, payment);
    return this.transitions.make(locked, order, {
      ...change,
      cause: found.cause,
      changes: {
        ...answered,
        ...amounts,
        returnsPending,
        isDisputeLost: payment.isDisputeLost ?? order.isDisputeLost,
        checkoutSessionId: payment.sessionId,
        checkoutExpiresAt: payment.expiresAt,
        paymentIntentId: payment.paymentIntentId,
        ...invoiceColumns(order, payment),
      },
    });
  }

  /** Each problem is logged once for operators; `orders_to_review` counts the open ones. */
  private report(locked: LockedAccounts, order: Order, { problem, resolution }: Review): void {
    const { id, accountId } = order;
    const isNew = problem !== null && (problem !== order.problem || isReopened(order, resolution));
    if (!isNew) return;
    locked.onCommit(() =>
      this.logger.error(`Order ${id} of account ${accountId} has to be looked at: ${problem}.`),
    );
  }

  /** Logged once for operators: why more was taken back than the dispute is about. */
  private reportCurrency(
    locked: LockedAccounts,
    { id, accountId }: Order,
    { disputedIn, currency }: PaymentState,
  ): void {
    if (disputedIn === null) return;
    locked.onCommit(() => {
      this.logger.warn(
        `Order ${id} of account ${accountId}: a dispute in ${disputedIn} cannot be compared with what was paid in ` +
          `${currency}, so all of it counts as gone.`,
      );
    });
  }
}

/** A number never changes: it stays known when the invoice can't be read, and so does the page of the invoice. */
function invoiceColumns(
  { invoiceNumber, receiptUrl }: Order,
  payment: PaymentState,
): Pick<Order, 'invoiceNumber' | 'invoicePending' | 'receiptUrl'> {
  const number = payment.invoiceNumber ?? invoiceNumber;
  const isUnread = payment.invoiceNumber === null && invoiceNumber !== null;
  return {
    invoiceNumber: number,
    invoicePending: payment.isInvoicePending && number === null,
    receiptUrl: isUnread ? receiptUrl : (payment.receiptUrl ?? receiptUrl),
  };
}

function isReopened(order: Order, resolution: Review['resolution']): boolean {
  return order.resolution !== null && resolution === null;
}

interface AnswerForOrder extends Answer {
  readonly orderId: string;
  readonly cause: Cause;
}
