import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

type SessionFields =
  | ('id' | 'allow_promotion_codes' | 'amount_subtotal' | 'amount_total' | 'cancel_url' | 'created')
  | ('billing_address_collection' | 'client_reference_id' | 'currency' | 'livemode' | 'metadata')
  | ('payment_status' | 'status' | 'success_url' | 'total_details' | 'url');
/** Fields of Stripe's objects that a shop can see here, named and typed as in Stripe's library. */
export type Session = Pick<Stripe.Checkout.Session, SessionFields> & {
  /** Only whether automatic tax is on. */
  automatic_tax: { enabled: boolean };
  customer: string | null;
  invoice: string | null;
  /** Only whether an invoice is created; at Stripe it has `invoice_data` too. */
  invoice_creation: { enabled: boolean };
  payment_intent: string | null;
  tax_id_collection: { enabled: boolean };
};

export type Customer = Pick<Stripe.Customer, 'id' | 'email' | 'metadata' | 'name'>;

/** Made for a payment in Checkout: a draft without number and page until it is finalized. */
export type Invoice = Pick<
  Stripe.Invoice,
  'id' | 'customer_email' | 'customer_name' | 'hosted_invoice_url' | 'number' | 'status' | 'total'
> & { customer_tax_ids: { type: 'eu_vat'; value: string }[] };

export type PaymentIntent = Pick<Stripe.PaymentIntent, 'id' | 'amount' | 'currency' | 'status'> & {
  latest_charge: string | null;
};

export type Charge = Pick<
  Stripe.Charge,
  'id' | 'amount' | 'amount_refunded' | 'currency' | 'disputed' | 'paid' | 'receipt_url'
> & { payment_intent: string };

export type Refund = Pick<Stripe.Refund, 'id' | 'amount' | 'created' | 'metadata' | 'reason' | 'status'> & {
  charge: string;
  payment_intent: string;
};

export type Dispute = Pick<Stripe.Dispute, 'id' | 'amount' | 'created' | 'currency' | 'status'> & {
  /** Money that left the shop's balance, or came back to it, in the currency in which the shop is paid. */
  balance_transactions: Pick<Stripe.BalanceTransaction, 'amount'>[];
  charge: string;
  payment_intent: string;
};

export type StripeObject = Session | Charge | Refund | Dispute | Invoice;

/** `data.object` is the object as it was then. */
export type StandInEvent = Pick<Stripe.Event, 'id' | 'object' | 'created'> & {
  readonly type: string;
  readonly data: { readonly object: StripeObject };
};

/** A new id as Stripe writes them: `ch_3Ab...`, `cs_test_a1B...`. */
export function newId(prefix: string): string {
  const letters = randomBytes(32)
    .toString('base64')
    .replace(/[^0-9A-Za-z]/g, '');
  return `${prefix}_${letters.slice(0, 24)}`;
}
