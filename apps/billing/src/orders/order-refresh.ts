import { isId } from '#contracts';
import { Injectable, Logger } from '@nestjs/common';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { OverdueCharges } from '../ledger/charges/overdue-charges.js';
import { type Order } from './order.entity.js';
import { type Cause, OrderTransitions, reviewed } from './order-transitions.js';
import { OrdersRepository } from './orders.repository.js';
import { whileWaiting } from './provider/stripe-client.js';
import { type KnownSession, StripePayments } from './provider/stripe-payments.js';
import { type Answer, applyPaymentState } from './rules/apply-payment-state.js';
import { type EventSubject } from './provider/read-event.js';
import { type PaymentState } from './rules/payment-state.js';
import { type Review } from './rules/review.js';

/** Asks Stripe how an order is paid now, and stores it, in one transaction under the lock of the account. */
@Injectable()
export class OrderRefresh {
  private readonly logger = new Logger(OrderRefresh.name);

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly accounts: AccountsRepository,
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
    private readonly overdue: OverdueCharges,
    private readonly transitions: OrderTransitions,
  ) {}

  /**
   * Returns the order as it is then. Throws when Stripe does not answer, and `UnknownToProvider` when it does not know the
   * session; an order without one is returned as it is.
   */
  async refresh(order: Order, cause: Cause, sessionId = order.checkoutSessionId): Promise<Order> {
    if (sessionId === null) return order;
    const number = await this.orders.beginRefresh(order.id);
    const limits = cause === 'return_page' ? whileWaiting : undefined;
    const payment = await this.stripe.paymentOf(sessionId, limits);
    return this.overdue.runWithAllVoided(order.accountId, (locked) =>
      this.apply(locked, order.id, { payment, number }, cause),
    );
  }

  /** Refreshes the order of a session or payment; `null`: it is not one of ours. */
  async refreshSubject(subject: EventSubject, cause: Cause): Promise<Order | null> {
    const known = await this.orders.findBySubject(subject);
    if (known) return this.refresh(known, cause);
    const session = await this.stripe.findSession(subject);
    if (!session || !isId(session.reference)) return null;
    const order = (await this.orders.find(session.reference)) ?? (await this.restore(session));
    return order && this.refresh(order, cause, session.sessionId);
  }

  /**
   * Stores the order of a session again, as open; it then follows its payment like any other. The database was restored to an instant
   * before it was started: an order is stored before Stripe hears of it and never deleted. `null`: the session does not contain all of
   * the order, or its account is missing too.
   */
  private async restore({ sessionId, ordered, startedAt }: KnownSession): Promise<Order | null> {
    if (ordered === null) return null;
    const { id, accountId } = ordered;
    return this.transactions.run([accountId], async (locked) => {
      if (!locked.accountIds.has(accountId)) {
        this.logger.warn(
          `Session ${sessionId} is for order ${id} of account ${accountId}, which does not exist here.`,
        );
        return null;
      }
      const known = await this.orders.find(id, locked);
      if (known) return known;
      locked.onCommit(() =>
        this.logger.warn(
          `Order ${id} of account ${accountId} was missing, and is stored again as Stripe has it.`,
        ),
      );
      return this.orders.insert(locked, {
        ...ordered,
        ...{ state: 'open', orderedAt: startedAt, checkoutSessionId: sessionId },
      });
    });
  }

  private async apply(locked: LockedAccounts, orderId: string, answer: Answer, cause: Cause): Promise<Order> {
    const { number, payment } = answer;
    const order = await this.orders.required(orderId, locked);
    const { closedAt } = await this.accounts.get(locked, order.accountId);
    const selling = { isLive: this.stripe.isLive, isAccountClosed: closedAt !== null };
    const change = applyPaymentState(order, answer, selling);
    if (change.kind === 'ignored') return order;
    if (change.kind === 'second_payment') {
      this.report(locked, order, change.review);
      return this.orders.change(locked, order.id, reviewed(order, change.review, locked.now));
    }
    const answered = { refreshApplied: number, checkedAt: locked.now, answeredAt: locked.now };
    if (change.kind === 'nothing') return this.orders.change(locked, order.id, answered);
    const { amounts, returnsPending } = change;
    this.report(locked, order, change.review);
    return this.transitions.make(locked, order, {
      ...change,
      cause,
      changes: {
        ...answered,
        ...amounts,
        returnsPending,
        isDisputeLost: payment.isDisputeLost ?? order.isDisputeLost,
        checkoutSessionId: payment.sessionId,
        paymentIntentId: payment.paymentIntentId,
        ...invoiceColumns(order, payment),
      },
    });
  }

  /** Each problem is logged once for operators; `orders_to_review` counts the open ones. */
  private report(locked: LockedAccounts, order: Order, { problem, resolution }: Review): void {
    const { id, accountId } = order;
    const isReopened = order.resolution !== null && resolution === null;
    if (problem === null || (problem === order.problem && !isReopened)) return;
    locked.onCommit(() =>
      this.logger.error(`Order ${id} of account ${accountId} has to be looked at: ${problem}.`),
    );
  }
}

/** Keeps the stored number and page of an invoice that can't be read: they never change. */
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
