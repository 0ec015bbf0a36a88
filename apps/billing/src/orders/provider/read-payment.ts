import type Stripe from 'stripe';
import { type PaymentState } from '../rules/payment-state.js';

/** What is read of a session, with its payment intent expanded. */
export type SessionFacts = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'amount_total'
  | 'client_reference_id'
  | 'currency'
  | 'expires_at'
  | 'livemode'
  | 'payment_status'
  | 'status'
> & { readonly payment_intent: string | IntentFacts | null };

/** A payment intent, with its charge expanded. */
type IntentFacts = Pick<Stripe.PaymentIntent, 'id' | 'status'> & {
  readonly latest_charge: string | Pick<Stripe.Charge, 'receipt_url'> | null;
};

export type RefundFacts = Pick<Stripe.Refund, 'amount' | 'status'>;

export type DisputeFacts = Pick<Stripe.Dispute, 'amount' | 'currency'> & {
  readonly balance_transactions: readonly Pick<Stripe.BalanceTransaction, 'amount'>[];
};

/** All that went back of one payment, as far as its refunds and disputes say. */
export interface Returns {
  readonly refunds: readonly RefundFacts[];
  readonly disputes: readonly DisputeFacts[];
}

/** States in which a payment intent waits for another attempt; a session that is complete allows none. */
const failedStatuses = new Set<string>(['requires_payment_method', 'canceled']);
const failedRefunds = new Set<string | null>(['failed', 'canceled']);

/** Stripe's objects as the state of one payment. */
export function readPayment(session: SessionFacts, returns: Returns): PaymentState {
  const { payment_intent: intent } = session;
  return {
    sessionId: session.id,
    reference: session.client_reference_id,
    progress: progressOf(session),
    amountCents: session.amount_total,
    currency: session.currency,
    isLive: session.livemode,
    paymentIntentId: typeof intent === 'object' ? (intent?.id ?? null) : intent,
    expiresAt: new Date(session.expires_at * 1_000),
    receiptUrl: session.payment_status === 'paid' ? receiptUrlOf(intent) : null,
    returnedCents: returnedCents(returns),
  };
}

/** A web address, which is shown as a link. */
function receiptUrlOf(intent: SessionFacts['payment_intent']): string | null {
  const charge = typeof intent === 'object' ? intent?.latest_charge : null;
  const url = typeof charge === 'object' ? charge?.receipt_url : null;
  return url && /^https?:\/\//.test(url) && URL.canParse(url) ? url : null;
}

function progressOf({ payment_intent, payment_status, status }: SessionFacts): PaymentState['progress'] {
  if (payment_status === 'paid') return 'paid';
  if (status !== 'complete') return status === 'expired' ? 'expired' : 'open';
  const hasFailed = typeof payment_intent === 'object' && failedStatuses.has(payment_intent?.status ?? '');
  return hasFailed ? 'failed' : 'processing';
}

/** Cents that went back to the buyer: refunds that have not failed, and what disputes hold at present. */
export function returnedCents({ refunds, disputes }: Returns): number {
  const refunded = refunds.filter(({ status }) => !failedRefunds.has(status));
  return sumOf(refunded) + sumOf(disputes.filter(isWithdrawn));
}

/**
 * Whether the bank has taken the money and not brought it back. The balance transactions say so in every state of a
 * dispute, also in those that Stripe adds: an inquiry has none, a dispute that was won has one of each sign.
 */
function isWithdrawn({ balance_transactions }: DisputeFacts): boolean {
  const signs = balance_transactions.map(({ amount }) => Math.sign(amount));
  return signs.reduce((sum, sign) => sum + sign, 0) < 0;
}

function sumOf(amounts: readonly { readonly amount: number }[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0);
}
