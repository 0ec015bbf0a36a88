import { type OrderMetadata } from '#checkout';
import { cardPacks, isId } from '#contracts';
import type Stripe from 'stripe';
import { type Order } from '../order.entity.js';
import { type PaymentAmounts, type PaymentState } from '../rules/payment-state.js';

/** The fields of a session that are read; its payment intent is expanded. */
export type SessionFacts = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'amount_subtotal'
  | 'amount_total'
  | 'currency'
  | 'livemode'
  | 'metadata'
  | 'payment_status'
  | 'status'
> & {
  readonly payment_intent: string | IntentFacts | null;
  readonly invoice: string | { readonly id: string } | null;
  readonly invoice_creation: { readonly enabled: boolean } | null;
  readonly total_details?: Pick<
    Stripe.Checkout.Session.TotalDetails,
    'amount_discount' | 'amount_tax'
  > | null;
};

/** A payment intent, with its charge expanded. */
type IntentFacts = Pick<Stripe.PaymentIntent, 'id' | 'status'> & {
  readonly latest_charge: string | Pick<Stripe.Charge, 'receipt_url'> | null;
};

type RefundFacts = Pick<Stripe.Refund, 'amount' | 'status'>;

type DisputeFacts = Pick<Stripe.Dispute, 'amount' | 'currency' | 'status'> & {
  readonly balance_transactions: readonly Pick<Stripe.BalanceTransaction, 'amount'>[];
};

/** What went back of one payment; `null`: it could not be read. */
export interface Returns {
  readonly refunds: readonly RefundFacts[] | null;
  readonly disputes: readonly DisputeFacts[] | null;
}

export type InvoiceFacts = Pick<Stripe.Invoice, 'hosted_invoice_url' | 'number'>;

/** States in which a payment intent waits for another attempt; a session that is complete allows none. */
const failedStatuses = new Set<string>(['requires_payment_method', 'canceled']);
const failedRefunds = new Set<string | null>(['failed', 'canceled']);

/**
 * The order that a session was made for. Metadata are written with the secret key only; the `client_reference_id` of a Payment Link
 * is whatever the buyer has put into its address.
 */
export function orderOf(session: Pick<Stripe.Checkout.Session, 'metadata'>): string | null {
  return session.metadata?.order_id ?? null;
}

/** What was ordered, by the metadata. */
export type Ordered = Pick<Order, 'id' | 'accountId' | 'personId' | 'pack' | 'credits' | 'priceCents'>;

const amount = /^[1-9]\d{0,8}$/;

/** The order of a session, from its metadata; `null` if they are incomplete, as in sessions of other programs. */
export function orderedIn(session: Pick<Stripe.Checkout.Session, 'metadata'>): Ordered | null {
  const metadata: Partial<OrderMetadata> = session.metadata ?? {};
  const { order_id: id, account_id: accountId, person_id: personId } = metadata;
  const { credits = '', price_cents: priceCents = '' } = metadata;
  const pack = cardPacks.find((name) => name === metadata.pack);
  if (!isId(id) || !isId(accountId) || !isId(personId) || pack === undefined) return null;
  if (!amount.test(credits) || !amount.test(priceCents)) return null;
  return { id, accountId, personId, pack, credits: Number(credits), priceCents: Number(priceCents) };
}

/** Stripe's objects as the state of one payment. `invoice`: that of the session; `null`: there is none, or it could not be read. */
export function readPayment(
  session: SessionFacts,
  returns: Returns,
  invoice: InvoiceFacts | null = null,
): PaymentState {
  const { payment_intent: intent, currency } = session;
  const amounts = amountsOf(session);
  const invoiceNumber = invoice?.number ?? null;
  return {
    sessionId: session.id,
    reference: orderOf(session),
    progress: progressOf(session),
    amounts,
    currency,
    isLive: session.livemode,
    paymentIntentId: idOf(intent),
    receiptUrl:
      invoice?.hosted_invoice_url ?? (session.payment_status === 'paid' ? receiptUrlOf(intent) : null),
    invoiceNumber,
    isInvoicePending: invoiceNumber === null && isInvoiceExpected(session),
    returnedCents: returnedCents(returns, session),
    isDisputeLost: returns.disputes && returns.disputes.some(isLost),
    areReturnsKnown: returns.refunds !== null && returns.disputes !== null,
  };
}

/** An order that costs nothing may have no invoice. */
function isInvoiceExpected({ invoice, invoice_creation, payment_status }: SessionFacts): boolean {
  return invoice !== null || (invoice_creation?.enabled === true && payment_status === 'paid');
}

/** Id of an object that may be expanded. */
export function idOf(object: string | { readonly id: string } | null): string | null {
  return typeof object === 'object' ? (object?.id ?? null) : object;
}

function amountsOf({ amount_subtotal, amount_total, total_details }: SessionFacts): PaymentAmounts | null {
  if (amount_subtotal === null || amount_total === null) return null;
  return {
    subtotalCents: amount_subtotal,
    discountCents: total_details?.amount_discount ?? 0,
    taxCents: total_details?.amount_tax ?? 0,
    totalCents: amount_total,
  };
}

function receiptUrlOf(intent: SessionFacts['payment_intent']): string | null {
  const charge = typeof intent === 'object' ? intent?.latest_charge : null;
  return typeof charge === 'object' ? (charge?.receipt_url ?? null) : null;
}

/** A session that is open or expired says `no_payment_required` too when it asks for nothing: it counts once it is complete. */
function progressOf({ payment_intent, payment_status, status }: SessionFacts): PaymentState['progress'] {
  if (payment_status === 'paid') return 'paid';
  if (status !== 'complete') return status === 'expired' ? 'expired' : 'open';
  if (payment_status === 'no_payment_required') return 'no_payment_required';
  const hasFailed = typeof payment_intent === 'object' && failedStatuses.has(payment_intent?.status ?? '');
  return hasFailed ? 'failed' : 'processing';
}

/**
 * Cents that went back to the buyer, as far as they are known: refunds that have not failed, and what disputes hold at present. A
 * dispute in another currency is one of the whole payment.
 */
function returnedCents({ refunds, disputes }: Returns, paid: SessionFacts): number {
  const refunded = (refunds ?? []).filter(({ status }) => !failedRefunds.has(status));
  const held = (disputes ?? []).filter(isWithdrawn).map(({ amount, currency }) => ({
    amount: currency === paid.currency ? amount : (paid.amount_total ?? 0),
  }));
  return sumOf(refunded) + sumOf(held);
}

/**
 * Whether the bank has taken the money and not brought it back. The balance transactions say so in every state of a
 * dispute, also in states that Stripe may add: an inquiry has none, a dispute that was won has one of each sign.
 */
function isWithdrawn({ balance_transactions }: DisputeFacts): boolean {
  const signs = balance_transactions.map(({ amount }) => Math.sign(amount));
  return signs.reduce((sum, sign) => sum + sign, 0) < 0;
}

/** A dispute that was lost, with its money. */
function isLost(dispute: DisputeFacts): boolean {
  return dispute.status === 'lost' && isWithdrawn(dispute);
}

function sumOf(amounts: readonly { readonly amount: number }[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0);
}
