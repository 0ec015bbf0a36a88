import { ServiceError } from '#contracts';
import { TransactionRunner } from '#platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { Account } from '../accounts/account.entity.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { type Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';
import { ProviderFailure } from './provider/stripe-client.js';
import { isUnknownCustomer, StripeInvoices } from './provider/stripe-invoices.js';
import { type Checkout, type CheckoutOrder, StripePayments } from './provider/stripe-payments.js';

/** Where the buyer goes once it is paid, and when they go back. */
export type ReturnPages = Pick<CheckoutOrder, 'successUrl' | 'cancelUrl'>;

/**
 * Gets the session in which an order is paid. Stripe may make several, for attempts that failed or had no answer, but the first
 * one that is stored is the only one whose page is ever shown, so an order is paid once.
 */
@Injectable()
export class OrderCheckout {
  private readonly logger = new Logger(OrderCheckout.name);

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
    private readonly invoices: StripeInvoices,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
  ) {}

  /**
   * Returns the order with its session. Throws `unavailable` when Stripe gives none now, and `conflict` when it refuses what is
   * asked, which only an operator can change.
   */
  async begin(order: Order, pages: ReturnPages): Promise<Order> {
    const checkout =
      order.checkoutSessionId === null
        ? await this.create(order, pages)
        : await this.stripe.findCheckout(order.checkoutSessionId);
    return this.transactions.run([order.accountId], (locked) =>
      this.storeSession(locked, order.id, checkout),
    );
  }

  /** A failure of Stripe is followed by one more attempt at once. */
  private async create(order: Order, pages: ReturnPages): Promise<Checkout> {
    let attempt = order.checkoutAttempts;
    for (let isLast = false; ; isLast = true) {
      try {
        return await this.request({ ...order, ...pages, attempt });
      } catch (error) {
        if (!(error instanceof ProviderFailure) || error.failure === 'no_result') throw error;
        // Stored at once: Stripe would repeat this failure for a day, also when billing dies now.
        attempt = await this.orders.endAttempt(order.id, attempt);
        if (error.failure === 'refused') throw sellingRefused(error);
        if (isLast) throw error;
      }
    }
  }

  /** With invoices, for the customer of the account; a second try is for a new one, if it was deleted at Stripe or is of test mode. */
  private async request(order: CheckoutOrder): Promise<Checkout> {
    if (!this.invoices.isOn) return this.stripe.createCheckout(order);
    const { accountId } = order;
    const customerId = await this.customerOf(accountId, null);
    try {
      return await this.stripe.createCheckout({ ...order, customerId });
    } catch (error) {
      if (!isUnknownCustomer(error)) throw error;
      this.logger.warn(
        `Stripe does not know customer ${customerId} of account ${accountId}: it gets a new one.`,
      );
      const replacement = await this.customerOf(accountId, customerId);
      return this.stripe.createCheckout({ ...order, customerId: replacement });
    }
  }

  /** The customer of an account at Stripe: the first that is stored counts. `unknown`: the one that Stripe does not know. */
  private async customerOf(accountId: string, unknown: string | null): Promise<string> {
    const account = await this.accounts.get(this.database, accountId);
    const { stripeCustomerId: known } = account;
    if (known !== null && known !== unknown) return known;
    // Without the lock: calls of the account are charged meanwhile.
    const created = await this.invoices.createCustomer(account, unknown);
    return this.transactions.run([accountId], async (locked) => {
      const { stripeCustomerId: stored } = await this.accounts.get(locked, accountId);
      if (stored !== null && stored !== unknown) return stored;
      await locked.manager.update(Account, { id: accountId }, { stripeCustomerId: created });
      return created;
    });
  }

  /** The session that was stored first is the one that counts. */
  private async storeSession(locked: LockedAccounts, id: string, checkout: Checkout): Promise<Order> {
    const { id: sessionId, url } = checkout;
    const known = await this.orders.required(id, locked);
    if (known.checkoutSessionId !== null && known.checkoutSessionId !== sessionId) return known;
    const session = { checkoutSessionId: sessionId, checkoutUrl: url };
    return this.orders.change(locked, id, { ...session, answeredAt: locked.now });
  }
}

function sellingRefused(cause: Error): ServiceError {
  const message =
    'Credits cannot be bought at the moment: the payment provider does not accept our requests. ' +
    'Nothing was ordered or taken from you.';
  return new ServiceError('conflict', message, { cause });
}
