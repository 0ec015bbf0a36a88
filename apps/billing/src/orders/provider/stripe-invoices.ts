import { messageOf } from '#platform';
import { isRecord } from '#contracts';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { type Account } from '../../accounts/account.entity.js';
import { idOf, type InvoiceFacts } from './read-payment.js';
import { SELLING_OPTIONS, type SellingOptions } from './selling-options.js';
import {
  callStripe,
  openStripe,
  ProviderFailure,
  type RequestLimits,
  STRIPE,
  UnknownToProvider,
  whileWaiting,
} from './stripe-client.js';

/** Stripe repeats a request whose connection broke, or whose Idempotency-Key is in use by another replica. */
const customerRetries = 2;

/** Requests to Stripe about customers and invoices. Throws as `callStripe` does, and `conflict` when selling is off. */
@Injectable()
export class StripeInvoices {
  private readonly logger = new Logger(StripeInvoices.name);

  constructor(
    @Inject(SELLING_OPTIONS) private readonly options: SellingOptions,
    @Inject(STRIPE) private readonly stripe: Stripe | null,
  ) {}

  /** Whether an invoice is made for each order. */
  get isOn(): boolean {
    return this.stripe !== null && this.options.invoices === true;
  }

  /**
   * One customer for an account and what it replaces, however often and from how many replicas it is asked for within a day. `replaces`:
   * the customer that Stripe no longer has; `null`: the account had none. Buyers can change its name and address when they pay. Returns
   * its id.
   */
  async createCustomer(account: Account, replaces: string | null): Promise<string> {
    const key = ['customer', account.id, ...(replaces === null ? [] : [replaces])].join('-');
    try {
      return await this.requestCustomer(account, key);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.failure !== 'stored') throw error;
      // Stripe repeats its failure for a day, and refuses another name under the key: all replicas then use the key of the hour.
      return this.requestCustomer(account, `${key}-${new Date().toISOString().slice(0, 13)}`);
    }
  }

  /** The invoice of a session; `null` without one, or when it can't be read: the order is granted nevertheless. */
  async invoiceOf(
    { id, invoice }: Pick<Stripe.Checkout.Session, 'id' | 'invoice'>,
    limits?: RequestLimits,
  ): Promise<InvoiceFacts | null> {
    const invoiceId = idOf(invoice);
    if (invoiceId === null) return null;
    const { invoices } = this.api;
    try {
      return await callStripe('get_invoice', () => invoices.retrieve(invoiceId, {}, limits));
    } catch (error) {
      if (!(error instanceof ProviderFailure || error instanceof UnknownToProvider)) throw error;
      this.logger.warn(
        `The invoice of session ${id} cannot be read; it is asked for again: ${messageOf(error)}`,
      );
      return null;
    }
  }

  private async requestCustomer({ id, name, email }: Account, idempotencyKey: string): Promise<string> {
    const { customers } = this.api;
    const customer = { name, email, metadata: { account_id: id } };
    const options = { ...whileWaiting, maxNetworkRetries: customerRetries, idempotencyKey };
    return (await callStripe('create_customer', () => customers.create(customer, options))).id;
  }

  private get api(): Stripe {
    return openStripe(this.stripe);
  }
}

/** Whether a request failed because Stripe does not know its customer: it was deleted, or belongs to another account or mode. */
export function isUnknownCustomer(error: unknown): boolean {
  return error instanceof UnknownToProvider && isRecord(error.cause) && error.cause.param === 'customer';
}
