import { amountsOf, type PriceChanges, promotionCodes } from './amounts.js';
import { newId, type Charge, type PaymentIntent, type Session } from './objects.js';
import { type Records } from './records.js';
import { StandInError } from './stand-in-error.js';

/** What a shop decides about a session. */
export interface NewSession {
  readonly amount: number;
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly clientReferenceId: string | null;
  readonly customerEmail: string | null;
  readonly description: string | null;
  readonly metadata: Record<string, string>;
  readonly paymentMetadata: Record<string, string>;
  /** Seconds since the epoch; default: in 24 hours. */
  readonly expiresAt: number | undefined;
  /** Stripe finds out what tax is due, and adds it. Default: no. */
  readonly hasAutomaticTax?: boolean | undefined;
  /** The buyer may enter a code. Default: no. */
  readonly allowsPromotionCodes?: boolean | undefined;
}

/** How a buyer pays: a card that is accepted or declined, or a method whose money takes days. */
export type PaymentMethod = 'card' | 'declined card' | 'delayed';

const dayS = 86_400;

/** Checkout sessions and what is paid in them. */
export class Payments {
  /** Percent that are added to sessions with automatic tax. */
  taxPercent = 0;
  /** What the payment intent of a session will say; it comes into being with the first attempt to pay. */
  private readonly drafts = new Map<string, Pick<PaymentIntent, 'description' | 'metadata'>>();

  constructor(
    private readonly records: Records,
    private readonly origin: () => string,
  ) {}

  create(given: NewSession): Session {
    const id = newId('cs_test');
    const session: Session = {
      id,
      object: 'checkout.session',
      allow_promotion_codes: given.allowsPromotionCodes ?? null,
      amount_subtotal: given.amount,
      amount_total: given.amount,
      automatic_tax: automaticTax(given.hasAutomaticTax ?? false),
      cancel_url: given.cancelUrl,
      client_reference_id: given.clientReferenceId,
      created: this.records.now,
      currency: given.currency,
      customer_email: given.customerEmail,
      expires_at: given.expiresAt ?? this.records.now + dayS,
      livemode: false,
      metadata: given.metadata,
      mode: 'payment',
      payment_intent: null,
      payment_method_types: ['card', 'us_bank_account'],
      payment_status: 'unpaid',
      status: 'open',
      success_url: given.successUrl,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      ui_mode: 'hosted_page',
      url: `${this.origin()}/c/pay/${id}`,
    };
    this.records.sessions.set(id, session);
    this.drafts.set(id, { description: given.description, metadata: given.paymentMetadata });
    return session;
  }

  /** Expires sessions whose time is over, as Stripe does by itself. */
  expireOld(): void {
    for (const session of this.records.sessions.values()) {
      if (session.status === 'open' && session.expires_at <= this.records.now) this.expire(session.id);
    }
  }

  expire(id: string): Session {
    const session = this.records.session(id);
    if (session.status !== 'open') {
      throw new StandInError(
        400,
        `Only Checkout Sessions with a status of open can be expired. This one is ${session.status}.`,
      );
    }
    Object.assign(session, { status: 'expired', url: null });
    this.records.tell('checkout.session.expired', session);
    return session;
  }

  /** The buyer pays, at another price if it is said how. A declined card leaves the session open. */
  pay(id: string, method: PaymentMethod, changes?: PriceChanges): Session {
    const session = changes ? this.price(id, changes) : this.addTax(id);
    if (session.amount_total === 0) return this.completeUnpaid(session);
    const intent = this.intentOf(session);
    if (method === 'declined card') {
      this.fail(intent, 'card_declined');
      return session;
    }
    Object.assign(session, { status: 'complete', url: null });
    if (method === 'card') {
      this.succeed(session, intent);
    } else {
      intent.status = 'processing';
      this.records.tell('payment_intent.processing', intent);
    }
    this.records.tell('checkout.session.completed', session);
    return session;
  }

  /** Sets what is to be paid in an open session. */
  price(id: string, { taxPercent, ...discount }: PriceChanges): Session {
    const session = this.openSession(id);
    const { enabled } = session.automatic_tax;
    if (enabled) session.automatic_tax.status = 'complete';
    const amounts = amountsOf(session.amount_subtotal ?? 0, {
      ...discount,
      taxPercent: taxPercent ?? (enabled ? this.taxPercent : 0),
    });
    session.amount_total = amounts.total;
    session.total_details = {
      amount_discount: amounts.discount,
      amount_shipping: 0,
      amount_tax: amounts.tax,
    };
    return session;
  }

  /** The buyer says where they are, so that the tax that Stripe was asked to find is added. */
  addTax(id: string): Session {
    const session = this.openSession(id);
    if (!session.automatic_tax.enabled) return session;
    return this.price(id, { discountCents: session.total_details?.amount_discount ?? 0 });
  }

  /** The buyer enters a promotion code, in capitals or not. */
  applyPromotionCode(id: string, code: string): Session {
    const session = this.openSession(id);
    const discountPercent = promotionCodes.get(code.trim().toUpperCase());
    if (session.allow_promotion_codes !== true || discountPercent === undefined) {
      throw new StandInError(400, 'This code is invalid.', { param: 'promotion_code' });
    }
    return this.price(id, { discountPercent });
  }

  /** The money of a delayed payment arrives, or does not. */
  settle(id: string, outcome: 'succeeded' | 'failed'): Session {
    const session = this.records.session(id);
    const intent = this.intentOf(session);
    if (session.status !== 'complete' || intent.status !== 'processing') {
      throw new StandInError(400, 'This payment is not processing.');
    }
    if (outcome === 'succeeded') {
      this.succeed(session, intent);
      this.records.tell('checkout.session.async_payment_succeeded', session);
    } else {
      this.fail(intent, 'insufficient_funds');
      this.records.tell('checkout.session.async_payment_failed', session);
    }
    return session;
  }

  private openSession(id: string): Session {
    const session = this.records.session(id);
    if (session.status === 'open') return session;
    throw new StandInError(400, `This Checkout Session is ${session.status}.`);
  }

  /** A discount covers everything: there is nothing to pay, and no payment. */
  private completeUnpaid(session: Session): Session {
    Object.assign(session, {
      payment_intent: null,
      payment_status: 'no_payment_required',
      status: 'complete',
      url: null,
    });
    this.records.tell('checkout.session.completed', session);
    return session;
  }

  private succeed(session: Session, intent: PaymentIntent): void {
    const charge = this.addCharge(intent, { paid: true, status: 'succeeded' });
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      latest_charge: charge.id,
    });
    session.payment_status = 'paid';
    this.records.tell('charge.succeeded', charge);
    this.records.tell('payment_intent.succeeded', intent);
  }

  private fail(intent: PaymentIntent, failure_code: string): void {
    const charge = this.addCharge(intent, { paid: false, status: 'failed', failure_code });
    Object.assign(intent, { status: 'requires_payment_method', latest_charge: charge.id });
    this.records.tell('charge.failed', charge);
    this.records.tell('payment_intent.payment_failed', intent);
  }

  private intentOf(session: Session): PaymentIntent {
    const amount = session.amount_total ?? 0;
    if (session.payment_intent !== null) {
      const known = this.records.paymentIntent(session.payment_intent);
      // The price may have changed since a card was declined.
      known.amount = amount;
      return known;
    }
    const { description = null, metadata = {} } = this.drafts.get(session.id) ?? {};
    const intent: PaymentIntent = {
      id: newId('pi'),
      object: 'payment_intent',
      amount,
      amount_received: 0,
      created: this.records.now,
      currency: session.currency ?? 'usd',
      description,
      latest_charge: null,
      livemode: false,
      metadata,
      status: 'requires_payment_method',
    };
    this.records.paymentIntents.set(intent.id, intent);
    session.payment_intent = intent.id;
    this.records.tell('payment_intent.created', intent);
    return intent;
  }

  private addCharge(
    intent: PaymentIntent,
    result: Pick<Charge, 'paid' | 'status'> & Partial<Charge>,
  ): Charge {
    const id = newId('ch');
    const { amount, currency } = intent;
    const transaction = result.paid
      ? this.records.addBalanceTransaction({ amount, currency, type: 'charge' })
      : null;
    const charge: Charge = {
      id,
      object: 'charge',
      amount,
      amount_refunded: 0,
      balance_transaction: transaction?.id ?? null,
      created: this.records.now,
      currency,
      disputed: false,
      failure_code: null,
      livemode: false,
      metadata: intent.metadata,
      payment_intent: intent.id,
      receipt_url: result.paid ? `${this.origin()}/receipts/${id}` : null,
      refunded: false,
      ...result,
    };
    this.records.charges.set(charge.id, charge);
    return charge;
  }
}

function automaticTax(enabled: boolean): Session['automatic_tax'] {
  return {
    enabled,
    liability: enabled ? { type: 'self' } : null,
    provider: enabled ? 'stripe' : null,
    status: enabled ? 'requires_location_inputs' : null,
  };
}
