import { type OrderState } from '#contracts';
import { applyPaymentState, type StoredOrder } from './apply-payment-state.js';
import { type PaymentState } from './payment-state.js';

const order: StoredOrder = {
  id: 'order-1',
  state: 'open',
  priceCents: 14_900,
  totalCents: null,
  returnedCents: 0,
  checkoutSessionId: 'cs_1',
  refreshApplied: 4,
  problem: null,
  problemSessions: [],
  resolution: null,
};
const price = { subtotalCents: 14_900, discountCents: 0, taxCents: 0, totalCents: 14_900 };
const underpaid = { amounts: { ...price, subtotalCents: 1_900, totalCents: 1_900 } };
const taxed = { ...price, taxCents: 2_831, totalCents: 17_731 };
const paid: PaymentState = {
  sessionId: 'cs_1',
  reference: 'order-1',
  progress: 'paid',
  amounts: price,
  currency: 'usd',
  isLive: false,
  paymentIntentId: 'pi_1',
  receiptUrl: null,
  invoiceNumber: null,
  isInvoicePending: false,
  returnedCents: 0,
  isDisputeLost: false,
  areReturnsKnown: true,
};
const nothingToLookAt = { problem: null, problemSessions: [], resolution: null };

const apply = (stored: Partial<StoredOrder>, payment: Partial<PaymentState>, number = 5) =>
  applyPaymentState({ ...order, ...stored }, { number, payment: { ...paid, ...payment } }, { isLive: false });

describe('an order', () => {
  it.each(['open', 'processing', 'expired', 'failed'] as OrderState[])(
    'that is %s is granted when it is paid: money is never forgotten',
    (state) => {
      expect(apply({ state }, {})).toEqual({
        ...{ kind: 'change', state: 'granted', isGranted: true, amounts: price },
        ...{ returnedCents: 0, returnsPending: false, review: nothingToLookAt },
      });
    },
  );

  it.each(['open', 'processing', 'expired', 'failed'] as const)(
    'follows an unpaid session: %s, and what was paid stays',
    (progress) => {
      expect(apply({}, { progress })).toMatchObject({ kind: 'change', state: progress, isGranted: false });
      for (const state of ['granted', 'in_review', 'refunded'] as const) {
        expect(apply({ state }, { progress })).toEqual({ kind: 'nothing' });
      }
    },
  );

  it('whose session is not stored yet is that of the session which names it', () => {
    expect(apply({ checkoutSessionId: null }, {})).toMatchObject({ state: 'granted', isGranted: true });
  });

  it('that is not paid follows another session of its own in which it is paid, and no unpaid one', () => {
    expect(apply({ state: 'expired' }, { sessionId: 'cs_2' })).toMatchObject({ state: 'granted' });
    expect(apply({}, { sessionId: 'cs_2', progress: 'expired' })).toEqual({ kind: 'ignored' });
  });

  it('does not follow an answer to an older question than one that was answered', () => {
    expect([3, 4, 5].map((number) => apply({}, {}, number).kind)).toEqual(['ignored', 'change', 'change']);
  });

  it('follows an answer about another session, which no question about its own has asked', () => {
    expect(apply({}, { sessionId: 'cs_2' }, 3).kind).toBe('change');
    expect(apply({ state: 'granted' }, { sessionId: 'cs_2' }, 3).kind).toBe('second_payment');
  });
});

it.each<[string, Partial<PaymentState>, number]>([
  ['a part', { returnedCents: 5_000 }, 5_000],
  ['at most what was paid, with tax and discounts', { amounts: taxed, returnedCents: 29_800 }, 17_731],
  ['what is known while returns cannot be read', { returnedCents: 0, areReturnsKnown: false }, 4_900],
  ['more than that if it is read', { returnedCents: 5_000, areReturnsKnown: false }, 5_000],
  ['nothing now', { returnedCents: 0 }, 0],
])('of a granted order goes back %s', (_what, payment, returnedCents) => {
  const change = apply({ state: 'granted', returnedCents: 4_900 }, payment);
  const returnsPending = payment.areReturnsKnown === false;
  expect(change).toMatchObject({ state: 'granted', isGranted: false, returnedCents, returnsPending });
});

const inEuro = { amounts: taxed, currency: 'eur' };

describe('a payment that is not what was ordered is for an operator', () => {
  const live = { isLive: true };
  it.each([
    [underpaid, 'paid 1,900 cents in usd, ordered 14,900 in usd'],
    [
      { amounts: { ...taxed, subtotalCents: 14_901 } },
      'paid 14,901 cents in usd, 17,731 with discounts and tax, ordered 14,900 in usd',
    ],
    [{ amounts: null }, 'paid an unknown amount, ordered 14,900 in usd'],
    [inEuro, 'paid 14,900 cents in eur, 17,731 with discounts and tax, ordered 14,900 in usd'],
    [{ reference: 'order-2' }, 'the payment belongs to order order-2'],
    [{ reference: null }, 'the payment belongs to no order'],
    [live, 'paid in live mode, orders are sold in test mode'],
    [{ progress: 'no_payment_required' as const }, 'nothing was taken of 14,900 cents in usd'],
  ])('%j', (payment, problem) => {
    for (const state of ['open', 'processing', 'expired', 'failed', 'in_review'] as const) {
      expect(apply({ state }, payment)).toMatchObject({
        kind: 'change',
        state: 'in_review',
        isGranted: false,
        review: { problem: `${problem} (session cs_1)`, problemSessions: ['cs_1'], resolution: null },
      });
    }
  });

  it('nor is test money where real money is taken', () => {
    const ofLive = (payment: PaymentState) => applyPaymentState(order, { number: 5, payment }, live);
    expect(ofLive(paid)).toMatchObject({ state: 'in_review' });
    expect(ofLive({ ...paid, ...live })).toMatchObject({ isGranted: true });
  });
});

describe('a review', () => {
  const problem = 'paid 1,900 cents in usd, ordered 14,900 in usd (session cs_1)';
  const known = { problem, problemSessions: ['cs_1'] };
  const inReview = { state: 'in_review', ...known } as const;
  const open = { ...known, resolution: null };

  it('stays open while the same is found, and ends with the credits when a later answer matches', () => {
    expect(apply(inReview, underpaid)).toMatchObject({ state: 'in_review', review: open });
    const review = { ...known, resolution: 'granted' };
    expect(apply(inReview, {})).toMatchObject({ state: 'granted', isGranted: true, review });
  });

  it('ends without credits when all that was paid went back, and not before', () => {
    const back = (returnedCents: number) => apply(inReview, { ...underpaid, returnedCents });
    expect(back(1_899)).toMatchObject({ state: 'in_review', returnedCents: 1_899, review: open });
    const refunded = { state: 'refunded', isGranted: false, review: { ...known, resolution: 'refunded' } };
    expect(back(1_900)).toMatchObject({ ...refunded, returnedCents: 1_900 });
    // Also when it is heard of only then.
    expect(apply({}, { ...underpaid, returnedCents: 1_900 })).toMatchObject(refunded);
  });

  it('in another currency counts the share of the price that went back, and keeps no amounts', () => {
    const back = (returnedCents: number) => apply({}, { ...inEuro, returnedCents });
    expect(back(8_866)).toMatchObject({ state: 'in_review', returnedCents: 7_450, amounts: null });
    expect(back(17_731)).toMatchObject({ state: 'refunded', returnedCents: 14_900, amounts: null });
  });

  it('that an operator has ended is not opened again by the same payment', () => {
    const asGranted = { ...known, resolution: 'granted' } as const;
    const granted = { state: 'granted', isGranted: false, review: asGranted };
    expect(apply({ state: 'granted', ...asGranted }, underpaid)).toMatchObject(granted);
    const asRefunded = { ...known, resolution: 'refunded' } as const;
    const refunded = { state: 'refunded', isGranted: false, review: asRefunded };
    for (const payment of [underpaid, {}]) {
      expect(apply({ state: 'refunded', ...asRefunded }, payment)).toMatchObject(refunded);
    }
  });

  it('that a refund has ended is open again when the money comes back; the order stays refunded', () => {
    const refunded = { state: 'refunded', ...known, resolution: 'refunded', totalCents: 1_900 } as const;
    const change = apply({ ...refunded, returnedCents: 1_900 }, { ...underpaid, returnedCents: 0 });
    const again = 'of 1,900 cents in usd that were refunded, only 0 are with the buyer now (session cs_1)';
    const review = { ...known, problem: `${problem}; ${again}`, resolution: null };
    expect(change).toMatchObject({ state: 'refunded', isGranted: false, returnedCents: 0, review });
    const refundedAgain = apply({ ...refunded, ...review }, { ...underpaid, returnedCents: 1_900 });
    expect(refundedAgain).toMatchObject({ state: 'refunded', review: { resolution: 'refunded' } });
  });
});

describe('a second payment', () => {
  const second = { sessionId: 'cs_2', paymentIntentId: 'pi_2' };
  const problem = 'a second payment of 14,900 cents in usd (session cs_2)';
  const known = { problem, problemSessions: ['cs_2'] };

  it.each(['granted', 'refunded', 'in_review'] as const)(
    'of an order that is %s is for an operator, once, and changes nothing else',
    (state) => {
      const review = { ...known, resolution: null };
      expect(apply({ state }, second)).toEqual({ kind: 'second_payment', review });
      expect(apply({ state, ...review }, second)).toEqual({ kind: 'ignored' });
      expect(apply({ state, ...known, resolution: 'granted' }, second)).toEqual({ kind: 'ignored' });
    },
  );

  it('is no longer a question once it went back', () => {
    const back = { ...second, returnedCents: 14_900 };
    expect(apply({ state: 'granted' }, back)).toEqual({ kind: 'ignored' });
    const resolved = { kind: 'second_payment', review: { ...known, resolution: 'refunded' } };
    expect(apply({ state: 'granted', ...known }, back)).toEqual(resolved);
    expect(apply({ state: 'granted', ...known, resolution: 'granted' }, back)).toEqual({ kind: 'ignored' });
  });

  it('is reported in addition to another one, also when that was decided', () => {
    const third = { ...second, sessionId: 'cs_3' };
    const both = {
      problem: `${problem}; a second payment of 14,900 cents in usd (session cs_3)`,
      problemSessions: ['cs_2', 'cs_3'],
    };
    const open = { kind: 'second_payment', review: { ...both, resolution: null } };
    expect(apply({ state: 'granted', ...known, resolution: 'refunded' }, third)).toEqual(open);
    expect(apply({ state: 'granted', ...both, resolution: 'refunded' }, second)).toEqual({ kind: 'ignored' });
    // One of them is still there.
    const back = { ...second, returnedCents: 14_900 };
    expect(apply({ state: 'granted', ...both }, back)).toEqual({ kind: 'ignored' });
  });

  it('is known by its session, not by what operators read', () => {
    const problem = 'the payment belongs to order (session cs_2) (session cs_1)';
    const inReview = { state: 'in_review', problem, problemSessions: ['cs_1'] } as const;
    const sessions = { problemSessions: ['cs_1', 'cs_2'], resolution: null };
    expect(apply(inReview, second)).toMatchObject({ kind: 'second_payment', review: sessions });
    expect(apply(inReview, {})).toMatchObject({ state: 'granted', review: { resolution: 'granted' } });
  });

  it('is not decided by what becomes of the first', () => {
    const own = 'paid 1,900 cents in usd, ordered 14,900 in usd (session cs_1)';
    const both = { problem: `${own}; ${problem}`, problemSessions: ['cs_1', 'cs_2'] };
    const inReview = { state: 'in_review', ...both } as const;
    const open = { ...both, resolution: null };
    expect(apply(inReview, {})).toMatchObject({ state: 'granted', isGranted: true, review: open });
    const back = { ...underpaid, returnedCents: 1_900 };
    expect(apply(inReview, back)).toMatchObject({ state: 'refunded', review: open });
  });
});
