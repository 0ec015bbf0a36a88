import { readPayment, type Returns, type SessionFacts } from './read-payment.js';

const session: SessionFacts = {
  id: 'cs_1',
  amount_total: 14_900,
  client_reference_id: 'order-1',
  currency: 'usd',
  expires_at: 1_800_000_000,
  livemode: false,
  payment_intent: {
    id: 'pi_1',
    status: 'succeeded',
    latest_charge: { receipt_url: 'https://pay.stripe.com/receipts/1' },
  },
  payment_status: 'paid',
  status: 'complete',
};
const none: Returns = { refunds: [], disputes: [] };
const returned = (returns: Partial<Returns>): number =>
  readPayment(session, { ...none, ...returns }).returnedCents;

it('reads what decides about an order', () => {
  expect(readPayment(session, none)).toEqual({
    sessionId: 'cs_1',
    reference: 'order-1',
    progress: 'paid',
    amountCents: 14_900,
    currency: 'usd',
    isLive: false,
    paymentIntentId: 'pi_1',
    expiresAt: new Date('2027-01-15T08:00:00Z'),
    receiptUrl: 'https://pay.stripe.com/receipts/1',
    returnedCents: 0,
  });
});

it('has the id of a payment intent that was not expanded, too', () => {
  expect(readPayment({ ...session, payment_intent: 'pi_1' }, none).paymentIntentId).toBe('pi_1');
  expect(readPayment({ ...session, payment_intent: null }, none).paymentIntentId).toBeNull();
});

it.each([
  ['no address', { receipt_url: 'javascript:alert(1)' }],
  ['none', { receipt_url: null }],
  ['a charge that was not expanded', 'ch_1'],
  ['no charge', null],
])('has no receipt for %s', (_what, latest_charge) => {
  const payment_intent = { id: 'pi_1', status: 'succeeded' as const, latest_charge };
  expect(readPayment({ ...session, payment_intent }, none).receiptUrl).toBeNull();
});

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
    const refunds = ['succeeded', 'pending', 'requires_action', 'failed', 'canceled'].map(
      (status, index) => ({
        status,
        amount: 10 ** index,
      }),
    );
    expect(returned({ refunds })).toBe(111);
  });

  it('is what disputes hold: an inquiry holds nothing, one that was won no longer', () => {
    const dispute = (...amounts: number[]) => ({
      amount: 14_900,
      currency: 'usd',
      balance_transactions: amounts.map((amount) => ({ amount })),
    });
    expect(returned({ disputes: [dispute()] })).toBe(0);
    expect(returned({ disputes: [dispute(-14_900)] })).toBe(14_900);
    // In the currency of the account, whose rate has changed meanwhile.
    expect(returned({ disputes: [dispute(-13_700, 13_500)] })).toBe(0);
    expect(returned({ refunds: [{ amount: 100, status: 'succeeded' }], disputes: [dispute(-13_000)] })).toBe(
      15_000,
    );
  });
});
