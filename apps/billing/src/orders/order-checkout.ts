import { ServiceError } from '#contracts';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { AccountCustomers } from './account-customers.js';
import { type Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';
import { type RequestBudget, startBudget } from './provider/request-budget.js';
import { ProviderFailure } from './provider/stripe-client.js';
import { StripeInvoices } from './provider/stripe-invoices.js';
import { type Checkout, type CheckoutOrder, StripePayments } from './provider/stripe-payments.js';

/** Where the buyer goes once it is paid, and when they go back. */
export type ReturnPages = Pick<CheckoutOrder, 'successUrl' | 'cancelUrl'>;

/**
 * Gets the session in which an order is paid. Stripe may make several, for attempts that failed or had no answer, but the first
 * one that is stored is the only one whose page is ever shown, so an order is paid once.
 */
@Injectable()
export class OrderCheckout {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
    private readonly invoices: StripeInvoices,
    private readonly customers: AccountCustomers,
  ) {}

  /**
   * Returns the order with its session. Throws `unavailable` when Stripe gives none now, and `conflict` when it refuses what is
   * asked, which only an operator can change.
   */
  async begin(order: Order, pages: ReturnPages): Promise<Order> {
    const budget = startBudget();
    const checkout =
      order.checkoutSessionId === null
        ? await this.create(order, pages, budget)
        : await this.stripe.findCheckout(order.checkoutSessionId, budget);
    return this.transactions.run([order.accountId], (locked) => this.keep(locked, order.id, checkout));
  }

  /** A failure of Stripe is followed by one more attempt at once. */
  private async create(order: Order, pages: ReturnPages, budget: RequestBudget): Promise<Checkout> {
    let attempt = order.checkoutAttempts;
    for (let isLast = false; ; isLast = true) {
      try {
        return await this.request({ ...order, ...pages, attempt }, budget);
      } catch (error) {
        if (!(error instanceof ProviderFailure) || error.failure === 'no_result') throw error;
        // Stored at once: Stripe would repeat this failure for a day, also when billing dies now.
        attempt = await this.orders.endAttempt(order.id, attempt);
        if (error.failure === 'refused') throw sellingRefused(error);
        if (isLast) throw error;
      }
    }
  }

  /** With invoices, for the customer of the account. */
  private request(order: CheckoutOrder, budget: RequestBudget): Promise<Checkout> {
    const create = (customerId?: string) => this.stripe.createCheckout({ ...order, customerId }, budget);
    return this.invoices.isOn ? this.customers.run(order.accountId, budget, create) : create();
  }

  /** The session that was stored first is the one that counts. */
  private async keep(locked: LockedAccounts, id: string, checkout: Checkout): Promise<Order> {
    const { sessionId, url, expiresAt } = checkout;
    const known = await this.orders.required(id, locked);
    if (known.checkoutSessionId !== null && known.checkoutSessionId !== sessionId) return known;
    await this.orders.change(locked, id, {
      checkoutSessionId: sessionId,
      checkoutExpiresAt: expiresAt,
      checkoutUrl: url,
      answeredAt: locked.now,
    });
    return this.orders.required(id, locked);
  }
}

function sellingRefused(cause: Error): ServiceError {
  const message =
    'Credits cannot be bought at the moment: the payment provider does not accept our requests. ' +
    'Nothing was ordered or taken from you.';
  return new ServiceError('conflict', message, { cause });
}
