import { type PaymentState } from '../rules/payment-state.js';
import { v7 as uuidv7 } from 'uuid';
import { orderedIn, readPayment, type Returns, type SessionFacts } from './read-payment.js';

const session: SessionFacts = {
  id: 'cs_1',
  amount_subtotal: 14_900,
  amount_total: 17_731,
  currency: 'usd',
  invoice: null,
  invoice_creation: { enabled: false },
  livemode: false,
  metadata: { order_id: 'order-1' },
  payment_intent: {
    id: 'pi_1',
    status: 'succeeded',
    latest_charge: { receipt_url: 'https://pay.stripe.com/receipts/1' },
  },
  payment_status: 'paid',
  status: 'complete',
  total_details: { amount_discount: 0, amount_tax: 2_831 },
};
const untaxed = { subtotalCents: 14_900, discountCents: 0, taxCents: 0, totalCents: 17_731 };
const none: Returns = { refunds: [], disputes: [] };
const withCharge = (latest_charge: string | { receipt_url: null } | null) => ({
  payment_intent: { id: 'pi_1', status: 'succeeded' as const, latest_charge },
});
const returned = (returns: Partial<Returns>): number =>
  readPayment(session, { ...none, ...returns }).returnedCents;

it('reads what decides about an order', () => {
  expect(readPayment(session, none)).toEqual({
    sessionId: 'cs_1',
    reference: 'order-1',
    progress: 'paid',
    amounts: { subtotalCents: 14_900, discountCents: 0, taxCents: 2_831, totalCents: 17_731 },
    currency: 'usd',
    isLive: false,
    paymentIntentId: 'pi_1',
    receiptUrl: 'https://pay.stripe.com/receipts/1',
    invoiceNumber: null,
    isInvoicePending: false,
    returnedCents: 0,
    isDisputeLost: false,
    areReturnsKnown: true,
  });
});

it.each<[string, Partial<SessionFacts>, Partial<PaymentState>]>([
  ['no order without metadata, which only our key writes', { metadata: null }, { reference: null }],
  ['no order with other metadata', { metadata: { campaign: 'spring' } }, { reference: null }],
  ['no amounts without a total', { amount_total: null }, { amounts: null }],
  ['neither discount nor tax without details', { total_details: null }, { amounts: untaxed }],
  ['the id of an intent that was not expanded', { payment_intent: 'pi_1' }, { paymentIntentId: 'pi_1' }],
  ['no id without an intent', { payment_intent: null }, { paymentIntentId: null, receiptUrl: null }],
  ['no receipt of a charge without one', withCharge({ receipt_url: null }), { receiptUrl: null }],
  ['no receipt of a charge that was not expanded', withCharge('ch_1'), { receiptUrl: null }],
  ['no receipt without a charge', withCharge(null), { receiptUrl: null }],
])('has %s', (_what, change, expected) => {
  expect(readPayment({ ...session, ...change }, none)).toMatchObject(expected);
});

it.each([
  ['it was asked for and is not there yet', null, null, 'paid', true],
  ['it is a draft, or cannot be read', 'in_1', null, 'paid', true],
  ['it is finalized', 'in_1', { number: 'A-1', hosted_invoice_url: 'https://i/1' }, 'paid', false],
  ['it is not paid', null, null, 'unpaid', false],
  ['it costs nothing, for which there may be none', null, null, 'no_payment_required', false],
] as const)('the invoice of an order is awaited: %s', (_what, invoice, found, status, isInvoicePending) => {
  const invoiced = { ...session, invoice, invoice_creation: { enabled: true }, payment_status: status };
  const read = readPayment(invoiced, none, found);
  expect(read).toMatchObject({ isInvoicePending, invoiceNumber: found?.number ?? null });
  // Its page takes the place of the receipt.
  if (found) expect(read.receiptUrl).toBe(found.hosted_invoice_url);
});

const ordered = {
  ...{ order_id: uuidv7(), account_id: uuidv7(), person_id: uuidv7(), pack: 'trial' },
  ...{ credits: '50', price_cents: '1900' },
};

it.each(['order_id', 'account_id', 'person_id', 'pack', 'credits', 'price_cents'])(
  'an order is not made up from a session without a valid %s',
  (name) => {
    expect(orderedIn({ metadata: ordered })).toMatchObject({ id: ordered.order_id, credits: 50 });
    expect(orderedIn({ metadata: { ...ordered, [name]: '-1' } })).toBeNull();
  },
);

it.each([
  ['open', 'unpaid', null, 'open'],
  // A declined card: the buyer may try another one.
  ['open', 'unpaid', 'requires_payment_method', 'open'],
  ['expired', 'unpaid', null, 'expired'],
  ['complete', 'unpaid', null, 'processing'],
  ['complete', 'unpaid', 'processing', 'processing'],
  ['complete', 'unpaid', 'requires_action', 'processing'],
  ['complete', 'unpaid', 'requires_payment_method', 'failed'],
  ['complete', 'unpaid', 'canceled', 'failed'],
  ['complete', 'paid', 'succeeded', 'paid'],
  ['complete', 'no_payment_required', null, 'no_payment_required'],
  // Not yet: it was not confirmed.
  ['open', 'no_payment_required', null, 'open'],
  ['expired', 'no_payment_required', null, 'expired'],
  // States that Stripe may add: whatever it means, the buyer must not pay again.
  ['complete', 'later', null, 'processing'],
] as const)(
  'a session that is %s, %s, with an intent that is %s, is %s',
  (status, paid, intent, progress) => {
    const payment_intent = intent === null ? null : { id: 'pi_1', status: intent, latest_charge: null };
    const state = readPayment({ ...session, status, payment_status: paid, payment_intent }, none);
    expect(state.progress).toBe(progress);
  },
);

describe('what went back', () => {
  it('is the sum of the refunds that have not failed', () => {
    const statuses = ['succeeded', 'pending', 'requires_action', 'failed', 'canceled'];
    const refunds = statuses.map((status, index) => ({ status, amount: 10 ** index }));
    expect(returned({ refunds })).toBe(111);
  });

  const dispute = (currency: string, ...amounts: number[]) => ({
    amount: 13_000,
    currency,
    status: 'needs_response' as const,
    balance_transactions: amounts.map((amount) => ({ amount })),
  });

  it('is what disputes hold: an inquiry holds nothing, one that was won no longer', () => {
    expect(returned({ disputes: [dispute('usd')] })).toBe(0);
    expect(returned({ disputes: [dispute('usd', -13_000)] })).toBe(13_000);
    // In the currency of the account, whose rate has changed meanwhile.
    expect(returned({ disputes: [dispute('usd', -13_700, 13_500)] })).toBe(0);
    const refunds = [{ amount: 100, status: 'succeeded' }];
    expect(returned({ refunds, disputes: [dispute('usd', -13_000)] })).toBe(13_100);
  });

  it('is the whole payment when a dispute is in another currency: its amount cannot be compared', () => {
    expect(returned({ disputes: [dispute('eur', -13_000)] })).toBe(17_731);
    expect(returned({ disputes: [dispute('eur', -13_000, 13_000)] })).toBe(0);
  });

  it.each([
    ['lost', 'lost' as const, [-13_000], true],
    ['open', 'needs_response' as const, [-13_000], false],
    ['won', 'won' as const, [-13_000, 13_000], false],
    ['lost, and brought back all the same', 'lost' as const, [-13_000, 13_000], false],
  ])('a dispute is %s', (_how, status, amounts, isDisputeLost) => {
    const disputes = [dispute('usd'), { ...dispute('usd', ...amounts), status }];
    expect(readPayment(session, { refunds: [], disputes })).toMatchObject({ isDisputeLost });
    expect(readPayment(session, { refunds: [], disputes: null })).toMatchObject({ isDisputeLost: null });
  });

  it.each([
    ['refunds', { refunds: null, disputes: [dispute('usd', -13_000)] }, 13_000],
    ['disputes', { refunds: [{ amount: 100, status: 'succeeded' }], disputes: null }, 100],
  ])('is at least what could be read, without the %s', (_what, returns, least) => {
    const { returnedCents, areReturnsKnown } = readPayment(session, returns);
    expect({ returnedCents, areReturnsKnown }).toEqual({ returnedCents: least, areReturnsKnown: false });
  });
});
