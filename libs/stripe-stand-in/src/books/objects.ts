import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

type SessionFields =
  | ('id' | 'object' | 'allow_promotion_codes' | 'amount_subtotal' | 'amount_total' | 'cancel_url')
  | ('billing_address_collection' | 'client_reference_id' | 'created' | 'currency' | 'expires_at')
  | (
      'livemode' | 'metadata' | 'mode' | 'payment_status' | 'status' | 'success_url' | 'total_details' | 'url'
    );
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

export type Customer = Pick<
  Stripe.Customer,
  'id' | 'object' | 'address' | 'created' | 'email' | 'livemode' | 'metadata' | 'name'
>;

type InvoiceFields =
  | ('id' | 'object' | 'created' | 'currency' | 'customer_email' | 'customer_name')
  | ('hosted_invoice_url' | 'livemode' | 'metadata' | 'number' | 'status' | 'total');
/** Made for a payment in Checkout: a draft without number and pages until it is finalized. */
export type Invoice = Pick<Stripe.Invoice, InvoiceFields> & {
  customer: string;
  customer_tax_ids: { type: 'eu_vat'; value: string }[];
};

export type PaymentIntent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'amount_received' | 'created' | 'currency' | 'livemode' | 'status'
> & { latest_charge: string | null };

type ChargeFields =
  | ('id' | 'object' | 'amount' | 'amount_refunded' | 'created' | 'currency')
  | ('disputed' | 'livemode' | 'paid' | 'receipt_url' | 'refunded' | 'status');
export type Charge = Pick<Stripe.Charge, ChargeFields> & { payment_intent: string };

export type Refund = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata' | 'reason' | 'status'
> & { charge: string; payment_intent: string };

/** Money that left the shop's balance, or came back to it. */
type BalanceTransaction = Pick<
  Stripe.BalanceTransaction,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'type'
>;

export type Dispute = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'livemode' | 'status'
> & {
  balance_transactions: BalanceTransaction[];
  charge: string;
  payment_intent: string;
};

export type StripeObject = Session | Charge | Refund | Dispute | Invoice;

/** `data.object` is the object as it was then. */
export type StandInEvent = Pick<
  Stripe.Event,
  'id' | 'object' | 'api_version' | 'created' | 'livemode' | 'pending_webhooks' | 'request'
> & { readonly type: string; readonly data: { readonly object: StripeObject } };

/** A new id as Stripe writes them: `ch_3Ab...`, `cs_test_a1B...`. */
export function newId(prefix: string): string {
  const letters = randomBytes(32)
    .toString('base64')
    .replace(/[^0-9A-Za-z]/g, '');
  return `${prefix}_${letters.slice(0, 24)}`;
}
