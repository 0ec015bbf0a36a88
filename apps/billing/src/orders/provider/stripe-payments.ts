import { type OrderedCredits, sessionParameters, subscribedEvents } from '#checkout';
import { isRecord, type RefundReason, ServiceError } from '#contracts';
import { counter } from '#platform';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { invalidField } from '../../errors.js';
import { type PaymentState } from '../rules/payment-state.js';
import { type EventSubject, type KnownEvent, readEvent, type Unconcerned } from './read-event.js';
import { idOf, type Ordered, orderedIn, orderOf, readPayment, type Returns } from './read-payment.js';
import { SELLING_OPTIONS, type SellingOptions, stripePage } from './selling-options.js';
import {
  callStripe,
  isForbidden,
  openStripe,
  ProviderFailure,
  reasonOfRefusal,
  type RequestLimits,
  STRIPE,
  UnknownToProvider,
  whileWaiting,
} from './stripe-client.js';
import { StripeInvoices } from './stripe-invoices.js';

/** What is asked to be paid. */
export interface CheckoutOrder extends OrderedCredits {
  /** Number of the attempt, from 1; each has its own Idempotency-Key. */
  readonly attempt: number;
}

/** A session, and its page; `url` is `null` once it can no longer be paid. */
export type Checkout = Pick<Stripe.Checkout.Session, 'id' | 'url'>;

/** A session and its order, as stored at Stripe. */
export interface KnownSession {
  readonly sessionId: string;
  readonly reference: string | null;
  readonly startedAt: Date;
  /** What was ordered; `null` if the session does not contain it. */
  readonly ordered: Ordered | null;
}

/** Stripe has refused a refund or failed at it: the same request would get the same answer. */
export class RefundRefused extends ServiceError {}

const pageSize = 100;
const nothingReturned: Returns = { refunds: [], disputes: [] };
const returnKinds = ['refunds', 'disputes'] as const;
const unread = counter(
  'payment_returns_unread_total',
  'Questions about a paid order whose refunds or disputes could not be read: it is granted, and asked about again.',
  { kind: returnKinds, reason: ['permission', 'failure'] },
);
/** How long a signature is valid. */
const signedForSeconds = 300;

/** Requests to Stripe about payments. Throws as `callStripe` does, and `conflict` when selling is off. */
@Injectable()
export class StripePayments {
  private readonly logger = new Logger(StripePayments.name);

  constructor(
    @Inject(SELLING_OPTIONS) private readonly options: SellingOptions,
    @Inject(STRIPE) private readonly stripe: Stripe | null,
    private readonly invoices: StripeInvoices,
  ) {}

  get isOpen(): boolean {
    return this.stripe !== null;
  }

  /** Throws `conflict` when selling is off. */
  requireOpen(): void {
    openStripe(this.stripe);
  }

  /** Whether real money is paid. */
  get isLive(): boolean {
    return /^(sk|rk)_live_/.test(this.options.secretKey);
  }

  /** One session for an attempt of an order, however often it is asked for within a day. */
  createCheckout(order: CheckoutOrder): Promise<Checkout> {
    const { sessions } = this.api.checkout;
    const parameters = sessionParameters(order, this.options);
    const options = { ...whileWaiting, idempotencyKey: `${order.id}-${order.attempt}` };
    return callStripe('create_session', () => sessions.create(parameters, options));
  }

  /** The page on which a session can be paid now. */
  findCheckout(sessionId: string): Promise<Checkout> {
    return this.session(sessionId, {}, whileWaiting);
  }

  /** The payment of a session as it is now, as far as the key may read it. */
  async paymentOf(sessionId: string, limits?: RequestLimits): Promise<PaymentState> {
    const session = await this.sessionWithPayment(sessionId, limits);
    const isPaid = session.payment_status === 'paid';
    const intent = isPaid ? idOf(session.payment_intent) : null;
    const [returns, invoice] = await Promise.all([
      intent === null ? nothingReturned : this.returnsOf(intent, limits),
      this.invoices.invoiceOf(session, limits),
    ]);
    const payment = readPayment(session, returns, invoice);
    return { ...payment, receiptUrl: this.pageOf(payment) };
  }

  /** The receipt or invoice page, if it is one of Stripe. */
  private pageOf({ sessionId, receiptUrl }: PaymentState): string | null {
    const page = stripePage(receiptUrl, this.options);
    if (receiptUrl !== null && page === null) {
      this.logger.error(`The receipt of session ${sessionId} is not a page of Stripe: not shown.`);
    }
    return page;
  }

  /** A session, or the one in which a payment was made; `null`: in none. */
  async findSession({ kind, id }: EventSubject): Promise<KnownSession | null> {
    const session = kind === 'session' ? await this.session(id, {}) : await this.sessionOfPayment(id);
    return (
      session && {
        sessionId: session.id,
        reference: orderOf(session),
        startedAt: new Date(session.created * 1_000),
        ordered: orderedIn(session),
      }
    );
  }

  private async sessionOfPayment(payment_intent: string): Promise<Stripe.Checkout.Session | null> {
    const { sessions } = this.api.checkout;
    const { data } = await callStripe('list_sessions', () => sessions.list({ payment_intent }));
    return data[0] ?? null;
  }

  /** The events since then that may concern an order, page by page, the newest first. Stripe keeps them for 30 days. */
  async *eventsSince(since: Date): AsyncGenerator<readonly KnownEvent[]> {
    const created = { gte: Math.floor(since.getTime() / 1_000) };
    const asked = { types: [...subscribedEvents], created, limit: pageSize };
    for (let last: string | undefined; ;) {
      const after = last === undefined ? {} : { starting_after: last };
      const { data, has_more } = await callStripe('list_events', () =>
        this.api.events.list({ ...asked, ...after }),
      );
      yield data.map(readEvent).filter((event) => typeof event === 'object' && event !== null);
      last = data.at(-1)?.id;
      if (!has_more || last === undefined) return;
    }
  }

  /**
   * Returns once all of the payment of an order is on its way back, also when it was before. The same attempt makes no second refund,
   * as long as Stripe has not refused it. Throws `RefundRefused` when Stripe has decided against it or failed, and otherwise as
   * `callStripe` does: then nothing is known.
   */
  async refundAll(
    orderId: string,
    payment_intent: string,
    attempt: number,
    reason?: RefundReason,
  ): Promise<void> {
    const { refunds } = this.api;
    const refund = { payment_intent, metadata: { order_id: orderId }, ...(reason && { reason }) };
    const idempotencyKey = `${orderId}-refund-${attempt}`;
    try {
      await callStripe('create_refund', () => refunds.create(refund, { idempotencyKey }));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const { cause } = error;
      if (isRecord(cause) && cause.code === 'charge_already_refunded') return;
      throw refusalOf(error);
    }
  }

  /**
   * What was sent to us as an event. Throws `invalid_request` when Stripe did not sign it, or did so more than five minutes
   * ago, and for a signed body that is no event.
   */
  verifyEvent(body: string, signature: string): KnownEvent | Unconcerned {
    this.verifySignature(body, signature);
    const event = readEvent(parsed(body));
    if (event !== null) return event;
    const problem = 'body must be the JSON of an event, with its id and type';
    throw invalidField('body', problem, 'The signature is right, but the body is no event of Stripe.');
  }

  private verifySignature(body: string, header: string): void {
    const { signature } = this.api.webhooks;
    if (!signature) throw new Error('the library of Stripe cannot verify signatures');
    try {
      signature.verifyHeader(body, header, this.options.webhookSecret, signedForSeconds);
    } catch (error) {
      throw new ServiceError('invalid_request', 'The signature does not belong to this body.', {
        details: { signature: ['signature must be a recent one of Stripe, by the secret of this endpoint'] },
        cause: error,
      });
    }
  }

  /** A session shows whether it is paid; its payment shows other outcomes, and has the receipt. */
  private async sessionWithPayment(id: string, limits?: RequestLimits): Promise<Stripe.Checkout.Session> {
    try {
      return await this.session(id, { expand: ['payment_intent.latest_charge'] }, limits);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      return this.session(id, {}, limits);
    }
  }

  private session(
    id: string,
    parameters: Stripe.Checkout.SessionRetrieveParams,
    limits?: RequestLimits,
  ): Promise<Stripe.Checkout.Session> {
    const { sessions } = this.api.checkout;
    return callStripe('get_session', () => sessions.retrieve(id, parameters, limits));
  }

  /** An order is granted also when refunds or disputes cannot be read. */
  private async returnsOf(paymentIntentId: string, limits?: RequestLimits): Promise<Returns> {
    const of = { payment_intent: paymentIntentId, limit: pageSize };
    const all = { limit: 10_000 };
    const { refunds: allRefunds, disputes: allDisputes } = this.api;
    const [refunds, disputes] = await Promise.all([
      ifReadable('refunds', () => allRefunds.list(of, limits).autoPagingToArray(all)),
      ifReadable('disputes', () => allDisputes.list(of, limits).autoPagingToArray(all)),
    ]);
    return { refunds, disputes };
  }

  private get api(): Stripe {
    return openStripe(this.stripe);
  }
}

/** Returns `undefined` unless the text is JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `null` when Stripe does not give them: counted, and logged as an error, as `callStripe` does when Stripe refuses. */
async function ifReadable<Result>(
  kind: (typeof returnKinds)[number],
  request: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await callStripe(`list_${kind}`, request);
  } catch (error) {
    if (!(error instanceof ProviderFailure || error instanceof UnknownToProvider)) throw error;
    unread.inc({ kind, reason: isForbidden(error) ? 'permission' : 'failure' });
    if (!(error instanceof ProviderFailure && error.failure === 'refused')) {
      const message = `The ${kind} of a payment cannot be read; they are asked for again.`;
      new Logger('Stripe').error(new Error(message, { cause: error }));
    }
    return null;
  }
}

/** The error for an operator; the failure itself when it is not known whether Stripe has done it, or does it later. */
function refusalOf(error: ProviderFailure): ServiceError {
  const { cause, failure } = error;
  if (failure === 'no_result') return error;
  return failure === 'stored'
    ? new RefundRefused('unavailable', 'Stripe failed at the refund; try again.', { cause })
    : new RefundRefused('conflict', reasonOfRefusal('create_refund', cause), { cause });
}
