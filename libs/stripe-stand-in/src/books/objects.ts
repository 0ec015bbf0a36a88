import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

/** Of each object of Stripe the fields that a shop can see here; named and typed as the library does. */
export type Session = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'allow_promotion_codes'
  | 'amount_subtotal'
  | 'amount_total'
  | 'automatic_tax'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'customer_email'
  | 'expires_at'
  | 'livemode'
  | 'metadata'
  | 'mode'
  | 'payment_method_types'
  | 'payment_status'
  | 'status'
  | 'success_url'
  | 'total_details'
  | 'ui_mode'
  | 'url'
> & { payment_intent: string | null };

export type PaymentIntent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'amount_received' | 'created' | 'currency' | 'livemode' | 'metadata' | 'status'
> & { description: string | null; latest_charge: string | null };

export type Charge = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_refunded'
  | 'created'
  | 'currency'
  | 'disputed'
  | 'livemode'
  | 'metadata'
  | 'paid'
  | 'receipt_url'
  | 'refunded'
  | 'status'
> & { balance_transaction: string | null; failure_code: string | null; payment_intent: string };

export type Refund = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata' | 'reason' | 'status'
> & { charge: string; payment_intent: string };

/** Money that left the shop's balance, or came back to it. */
export type BalanceTransaction = Pick<
  Stripe.BalanceTransaction,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'fee' | 'net' | 'type'
>;

export type Dispute = Pick<
  Stripe.Dispute,
  | 'id'
  | 'object'
  | 'amount'
  | 'created'
  | 'currency'
  | 'is_charge_refundable'
  | 'livemode'
  | 'metadata'
  | 'reason'
  | 'status'
> & { balance_transactions: BalanceTransaction[]; charge: string; payment_intent: string };

/** A report of the card's issuer that a payment was fraud. */
export type FraudWarning = Pick<
  Stripe.Radar.EarlyFraudWarning,
  'id' | 'object' | 'actionable' | 'created' | 'fraud_type' | 'livemode'
> & { charge: string; payment_intent: string };

export type StripeObject = Session | PaymentIntent | Charge | Refund | Dispute | FraudWarning;

/** `data.object` is the object as it was then. */
export type StandInEvent = Pick<
  Stripe.Event,
  'id' | 'object' | 'api_version' | 'created' | 'livemode' | 'pending_webhooks' | 'request'
> & {
  /** The account that it happened in, when that is another one than the endpoint's. */
  readonly account?: string;
  readonly type: string;
  readonly data: { readonly object: StripeObject };
};

/** An event that names an object and holds nothing of it. `created` is a date. */
export type ThinEvent = Pick<Stripe.V2.Core.Event, 'id' | 'object' | 'created' | 'livemode'> & {
  readonly type: string;
  readonly related_object: { readonly id: string; readonly type: string; readonly url: string } | null;
};

/** A new id as Stripe writes them: `ch_3Ab...`, `cs_test_a1B...`. */
export function newId(prefix: string): string {
  const letters = randomBytes(32)
    .toString('base64')
    .replace(/[^0-9A-Za-z]/g, '');
  return `${prefix}_${letters.slice(0, 24)}`;
}
