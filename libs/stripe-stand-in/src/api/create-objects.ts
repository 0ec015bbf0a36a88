import { type Books } from '../books/books.js';
import { type Refund } from '../books/objects.js';
import { type NewSession } from '../books/payments.js';
import { StandInError } from '../books/stand-in-error.js';
import {
  amountAt,
  booleanAt,
  type FormTree,
  integer,
  invalid,
  missing,
  refuseUnknown,
  textAt,
  textsAt,
} from './form.js';

const sessionParameters = new Set([
  'adaptive_pricing',
  'allow_promotion_codes',
  'automatic_tax',
  'cancel_url',
  'client_reference_id',
  'customer_email',
  'expand',
  'expires_at',
  'line_items',
  'locale',
  'metadata',
  'mode',
  'payment_intent_data',
  'submit_type',
  'success_url',
]);
const minuteS = 60;
const hourS = 3_600;

/** The parameters of `POST /v1/checkout/sessions`, checked as far as this project uses them. */
export function readNewSession(form: FormTree, now: number): NewSession {
  refuseUnknown(form, sessionParameters);
  if (textAt(form, 'mode') !== 'payment') throw invalid('mode', 'Only mode=payment exists here');
  const items = form.line_items;
  if (typeof items !== 'object') throw invalid('line_items', 'Missing required param: line_items.');
  const prices = Object.keys(items).map((index) => priceOf(form, `line_items.${index}`));
  const [first] = prices;
  if (!first) throw invalid('line_items', 'Missing required param: line_items.');
  return {
    amount: prices.reduce((sum, { amount }) => sum + amount, 0),
    currency: first.currency,
    successUrl: url(form, 'success_url') ?? missing('success_url'),
    cancelUrl: url(form, 'cancel_url') ?? null,
    clientReferenceId: shortText(form, 'client_reference_id'),
    customerEmail: emailOf(form),
    description: textAt(form, 'payment_intent_data.description') ?? null,
    metadata: textsAt(form, 'metadata'),
    paymentMetadata: textsAt(form, 'payment_intent_data.metadata'),
    expiresAt: expiryOf(form, now),
    hasAutomaticTax: booleanAt(form, 'automatic_tax.enabled'),
    allowsPromotionCodes: booleanAt(form, 'allow_promotion_codes'),
  };
}

function priceOf(form: FormTree, item: string): { readonly amount: number; readonly currency: string } {
  const data = `${item}.price_data`;
  const currency = textAt(form, `${data}.currency`) ?? missing(`${data}.currency`);
  if (textAt(form, `${data}.product_data.name`) === undefined) missing(`${data}.product_data.name`);
  const unit = integer(textAt(form, `${data}.unit_amount`), `${data}.unit_amount`);
  const quantity = integer(textAt(form, `${item}.quantity`) ?? '1', `${item}.quantity`);
  if (currency === 'usd' && unit * quantity < 50) {
    const message = 'The Checkout Session amount must be at least $0.50 usd.';
    throw new StandInError(400, message, { code: 'amount_too_small', param: 'amount' });
  }
  return { amount: unit * quantity, currency };
}

function expiryOf(form: FormTree, now: number): number | undefined {
  const text = textAt(form, 'expires_at');
  if (text === undefined) return undefined;
  const at = integer(text, 'expires_at');
  if (at < now + 30 * minuteS || at > now + 24 * hourS) {
    throw invalid('expires_at', 'The `expires_at` timestamp must be between 30 minutes and 24 hours away.');
  }
  return at;
}

function emailOf(form: FormTree): string | null {
  const email = textAt(form, 'customer_email');
  if (email === undefined) return null;
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    throw invalid('customer_email', `Invalid email address: ${email}`);
  }
  return email;
}

function shortText(form: FormTree, name: string): string | null {
  const text = textAt(form, name) ?? null;
  if (text !== null && text.length > 200) throw invalid(name, 'Invalid string: at most 200 characters');
  return text;
}

function url(form: FormTree, name: string): string | undefined {
  const text = textAt(form, name);
  if (text === undefined || /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) return text;
  throw invalid(name, 'Not a valid URL');
}

const refundParameters = new Set(['amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason']);
const reasons = new Set(['duplicate', 'fraudulent', 'requested_by_customer']);

/** `POST /v1/refunds`: of a payment intent or a charge; a part, or what is left. */
export function createRefund({ records, returns }: Books, form: FormTree): Refund {
  refuseUnknown(form, refundParameters);
  const amount = amountAt(form, 'amount');
  const reason = textAt(form, 'reason') ?? null;
  if (reason !== null && !reasons.has(reason)) throw invalid('reason', `Invalid reason: ${reason}`);
  const charge = textAt(form, 'charge');
  const intent = textAt(form, 'payment_intent');
  if (intent === undefined && charge === undefined) {
    throw invalid(
      'payment_intent',
      'One of the following params should be provided: payment_intent or charge.',
    );
  }
  return returns.refund(intent ?? records.charge(charge ?? '').payment_intent, amount, {
    metadata: textsAt(form, 'metadata'),
    reason,
  });
}
