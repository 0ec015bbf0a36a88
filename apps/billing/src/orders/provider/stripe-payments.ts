import { ServiceError } from '@app/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { type PaymentState } from '../rules/payment-state.js';
import { type EventSubject, readEvent } from './read-event.js';
import {
  type DisputeFacts,
  readPayment,
  type RefundFacts,
  type Returns,
  returnedCents,
} from './read-payment.js';
import { SELLING_OPTIONS, type SellingOptions } from './selling-options.js';
import { ask, STRIPE } from './stripe-client.js';
import { ifReadable } from './unread-returns.js';

/** What is asked to be paid. */
export interface CheckoutOrder {
  readonly id: string;
  readonly accountId: string;
  readonly credits: number;
  readonly priceCents: number;
  /** Where the buyer goes once it is paid, and when they go back. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

export interface Checkout {
  readonly sessionId: string;
  /** `null` once it can't be paid any more. */
  readonly url: string | null;
  readonly expiresAt: Date;
}

/** A session and the order that it was made for, as Stripe has it. */
export interface KnownSession {
  readonly sessionId: string;
  readonly reference: string | null;
}

const pageSize = 100;
const nothingReturned: Returns = { refunds: [], disputes: [] };
/** Orders are paid in dollars; how much is not known. */
const anyPayment = { totalCents: Number.MAX_SAFE_INTEGER, currency: 'usd' };

/** Everything that is asked of Stripe. Throws as `ask` does, and `conflict` when selling is off. */
@Injectable()
export class StripePayments {
  constructor(
    @Inject(SELLING_OPTIONS) private readonly options: SellingOptions,
    @Inject(STRIPE) private readonly stripe: Stripe | null,
  ) {}

  get isOpen(): boolean {
    return this.stripe !== null;
  }

  /** Whether real money is paid. */
  get isLive(): boolean {
    return /^(sk|rk)_live_/.test(this.options.secretKey);
  }

  /** One session for an order, however often it is asked for within a day. */
  async createCheckout(order: CheckoutOrder): Promise<Checkout> {
    const name = `${order.credits.toLocaleString('en')} credits`;
    const metadata = { order_id: order.id, account_id: order.accountId };
    const session = await ask('create_session', () =>
      this.api.checkout.sessions.create(
        {
          mode: 'payment',
          // The price is in dollars for everybody, so that what is paid can be compared with it.
          adaptive_pricing: { enabled: false },
          client_reference_id: order.id,
          line_items: [
            {
              quantity: 1,
              price_data: { currency: 'usd', unit_amount: order.priceCents, product_data: { name } },
            },
          ],
          metadata,
          payment_intent_data: { description: name, metadata },
          success_url: order.successUrl,
          cancel_url: order.cancelUrl,
        },
        { idempotencyKey: order.id },
      ),
    );
    return toCheckout(session);
  }

  /** Where a session can be paid now. */
  async findCheckout(sessionId: string): Promise<Checkout> {
    return toCheckout(await ask('get_session', () => this.api.checkout.sessions.retrieve(sessionId)));
  }

  /** The payment of a session as it is now. */
  async paymentOf(sessionId: string): Promise<PaymentState> {
    const session = await ask('get_session', () =>
      this.api.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent.latest_charge'] }),
    );
    const isPaid = session.payment_status === 'paid';
    const intent = isPaid ? idOf(session.payment_intent) : null;
    return readPayment(session, intent === null ? nothingReturned : await this.returnsOf(intent));
  }

  /** Which order a session was made for. */
  async findSession(sessionId: string): Promise<KnownSession> {
    const session = await ask('get_session', () => this.api.checkout.sessions.retrieve(sessionId));
    return { sessionId: session.id, reference: session.client_reference_id };
  }

  /** The session in which a payment was made; `null`: in none. */
  async findSessionOfPayment(paymentIntentId: string): Promise<KnownSession | null> {
    const { data } = await ask('list_sessions', () =>
      this.api.checkout.sessions.list({ payment_intent: paymentIntentId }),
    );
    const [session] = data;
    return session ? { sessionId: session.id, reference: session.client_reference_id } : null;
  }

  /**
   * Cents that went back, by payment intent, of all payments with a refund or dispute made since then: more than was paid when a
   * dispute is in another currency.
   */
  async returnedSince(since: Date): Promise<Map<string, number>> {
    const created = { gte: Math.floor(since.getTime() / 1_000) };
    const found = new Map<string, { refunds: RefundFacts[]; disputes: DisputeFacts[] }>();
    const returnsOf = (intent: string | Stripe.PaymentIntent | null) => {
      const id = idOf(intent) ?? '';
      const known = found.get(id) ?? { refunds: [], disputes: [] };
      found.set(id, known);
      return known;
    };
    await ask('list_refunds', async () => {
      for await (const refund of this.api.refunds.list({ created, limit: pageSize })) {
        returnsOf(refund.payment_intent).refunds.push(refund);
      }
    });
    await ask('list_disputes', async () => {
      for await (const dispute of this.api.disputes.list({ created, limit: pageSize })) {
        returnsOf(dispute.payment_intent).disputes.push(dispute);
      }
    });
    found.delete('');
    return new Map([...found].map(([id, returns]) => [id, returnedCents(returns, anyPayment)]));
  }

  /**
   * What an event is about; `null`: no order. Throws `invalid_request` when Stripe did not sign it, or did so more than
   * five minutes ago.
   */
  verifyEvent(body: string, signature: string): EventSubject | null {
    try {
      return readEvent(this.api.webhooks.constructEvent(body, signature, this.options.webhookSecret));
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw new ServiceError('invalid_request', 'The signature does not belong to this body.', {
        details: { signature: ['signature must be a recent one of Stripe, by the secret of this endpoint'] },
        cause: error,
      });
    }
  }

  /** What can't be read keeps nobody from having what they have paid for. */
  private async returnsOf(paymentIntentId: string): Promise<Returns> {
    const of = { payment_intent: paymentIntentId, limit: pageSize };
    const [refunds, disputes] = await Promise.all([
      ifReadable(
        'refunds',
        ask('list_refunds', () => this.api.refunds.list(of).autoPagingToArray({ limit: 10_000 })),
      ),
      ifReadable(
        'disputes',
        ask('list_disputes', () => this.api.disputes.list(of).autoPagingToArray({ limit: 10_000 })),
      ),
    ]);
    return { refunds, disputes };
  }

  private get api(): Stripe {
    if (this.stripe) return this.stripe;
    throw new ServiceError('conflict', 'Credits are not sold here: no payment provider is set up.');
  }
}

function toCheckout({ id, url, expires_at }: Stripe.Checkout.Session): Checkout {
  return { sessionId: id, url, expiresAt: new Date(expires_at * 1_000) };
}

function idOf(object: string | { readonly id: string } | null): string | null {
  return typeof object === 'object' ? (object?.id ?? null) : object;
}
