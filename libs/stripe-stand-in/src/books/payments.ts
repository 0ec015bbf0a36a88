import { type Invoicing } from './invoicing.js';
import { newId, type Charge, type PaymentIntent, type Session } from './objects.js';
import { type Records } from './records.js';
import { StandInError } from './stand-in-error.js';

type Decided = 'client_reference_id' | 'currency' | 'metadata' | 'success_url';
/** What a shop decides about a session; the rest is as Stripe has it by default. */
export type NewSession = Pick<Session, Decided> & Partial<Session> & { readonly amount: number };

/** What changes the price of a session on its way to the buyer. */
export interface PriceChanges {
  /** Added to the rest after the discount. Default: with automatic tax that of the stand-in, else none. */
  readonly taxPercent?: number | undefined;
  /** The discount, percent of the price. Default: the discount so far. */
  readonly discountPercent?: number | undefined;
  /** The discount in cents, at most the price. */
  readonly discountCents?: number | undefined;
}

/** How a buyer pays: a card that is accepted or declined, or a method whose money takes days. */
export type PaymentMethod = 'card' | 'declined card' | 'delayed';

/** Checkout sessions and what is paid in them. */
export class Payments {
  /** Percent that are added to sessions with automatic tax. */
  taxPercent = 0;

  constructor(
    private readonly records: Records,
    private readonly origin: () => string,
    private readonly invoicing: Invoicing,
  ) {}

  create({ amount, ...given }: NewSession): Session {
    const id = newId('cs_test');
    const session: Session = {
      id,
      allow_promotion_codes: null,
      amount_subtotal: amount,
      amount_total: amount,
      automatic_tax: { enabled: false },
      billing_address_collection: null,
      cancel_url: null,
      created: this.records.now,
      customer: null,
      invoice: null,
      invoice_creation: { enabled: false },
      livemode: false,
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      tax_id_collection: { enabled: false },
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      url: `${this.origin()}/c/pay/${id}`,
      ...given,
    };
    this.records.sessions.set(id, session);
    return session;
  }

  expire(id: string): Session {
    const session = this.openSession(id);
    Object.assign(session, { status: 'expired', url: null });
    this.records.emit('checkout.session.expired', session);
    return session;
  }

  /** The buyer pays. A declined card leaves the session open; with a total of 0 there is no payment. */
  pay(id: string, method: PaymentMethod, changes?: PriceChanges): Session {
    const session = this.price(id, changes);
    const completed = { status: 'complete', url: null };
    if (session.amount_total === 0) {
      Object.assign(session, completed, { payment_intent: null, payment_status: 'no_payment_required' });
      this.records.emit('checkout.session.completed', session);
      return session;
    }
    const intent = this.intentOf(session);
    if (method === 'declined card') {
      this.fail(intent);
      return session;
    }
    Object.assign(session, completed);
    this.invoicing.keepDetails(session);
    if (method === 'card') {
      this.succeed(session, intent, 'checkout.session.completed');
    } else {
      intent.status = 'processing';
      this.records.emit('checkout.session.completed', session);
    }
    return session;
  }

  /** Sets what is to be paid in an open session: the discount comes off first, the tax is on the rest. */
  price(id: string, { taxPercent, discountPercent, discountCents }: PriceChanges = {}): Session {
    const session = this.openSession(id);
    const subtotal = session.amount_subtotal ?? 0;
    const isChanged = discountPercent !== undefined || discountCents !== undefined;
    const wanted = (discountCents ?? 0) + Math.round((subtotal * (discountPercent ?? 0)) / 100);
    const soFar = session.total_details?.amount_discount ?? 0;
    const discount = Math.min(subtotal, isChanged ? wanted : soFar);
    const percent = taxPercent ?? (session.automatic_tax.enabled ? this.taxPercent : 0);
    const tax = Math.round(((subtotal - discount) * percent) / 100);
    session.amount_total = subtotal - discount + tax;
    session.total_details = { amount_discount: discount, amount_shipping: 0, amount_tax: tax };
    return session;
  }

  /** The money of a delayed payment arrives, or does not. */
  settle(id: string, outcome: 'succeeded' | 'failed'): Session {
    const session = this.records.session(id);
    const intent = this.intentOf(session);
    if (session.status !== 'complete' || intent.status !== 'processing') {
      throw new StandInError(400, 'This payment is not processing.');
    }
    if (outcome === 'succeeded') {
      this.succeed(session, intent, 'checkout.session.async_payment_succeeded');
    } else {
      this.fail(intent);
      this.records.emit('checkout.session.async_payment_failed', session);
    }
    return session;
  }

  private openSession(id: string): Session {
    const session = this.records.session(id);
    if (session.status === 'open') return session;
    throw new StandInError(400, `This Checkout Session is ${session.status}.`);
  }

  /** `type`: the event of the session, which comes before the one of its invoice. */
  private succeed(session: Session, intent: PaymentIntent, type: string): void {
    const charge = this.addCharge(intent, true);
    Object.assign(intent, { status: 'succeeded', latest_charge: charge.id });
    session.payment_status = 'paid';
    const invoice = this.invoicing.invoiceFor(session);
    this.records.emit(type, session);
    if (invoice && !this.invoicing.isSlow) this.invoicing.finalize(invoice.id);
  }

  private fail(intent: PaymentIntent): void {
    const charge = this.addCharge(intent, false);
    Object.assign(intent, { status: 'requires_payment_method', latest_charge: charge.id });
  }

  /** Returns the session's payment intent, which the first attempt to pay creates. */
  private intentOf(session: Session): PaymentIntent {
    const amount = session.amount_total ?? 0;
    if (session.payment_intent !== null) {
      const known = this.records.paymentIntent(session.payment_intent);
      // The price may have changed since a card was declined.
      known.amount = amount;
      return known;
    }
    const intent: PaymentIntent = {
      id: newId('pi'),
      amount,
      currency: session.currency ?? 'usd',
      latest_charge: null,
      status: 'requires_payment_method',
    };
    this.records.paymentIntents.set(intent.id, intent);
    session.payment_intent = intent.id;
    return intent;
  }

  private addCharge({ id: intentId, amount, currency }: PaymentIntent, paid: boolean): Charge {
    const id = newId('ch');
    const charge: Charge = {
      id,
      amount,
      amount_refunded: 0,
      currency,
      disputed: false,
      paid,
      payment_intent: intentId,
      receipt_url: paid ? `${this.origin()}/receipts/${id}` : null,
    };
    this.records.charges.set(id, charge);
    return charge;
  }
}
