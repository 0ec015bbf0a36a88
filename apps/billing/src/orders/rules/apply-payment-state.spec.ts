import { type OrderState } from '@app/contracts';
import { applyPaymentState, type StoredOrder } from './apply-payment-state.js';
import { type PaymentState } from './payment-state.js';

const order: StoredOrder = {
  id: 'order-1',
  state: 'open',
  priceCents: 14_900,
  checkoutSessionId: 'cs_1',
  refreshApplied: 4,
};
const paid: PaymentState = {
  sessionId: 'cs_1',
  reference: 'order-1',
  progress: 'paid',
  amountCents: 14_900,
  currency: 'usd',
  isLive: false,
  paymentIntentId: 'pi_1',
  expiresAt: new Date(0),
  receiptUrl: null,
  returnedCents: 0,
};

const apply = (stored: Partial<StoredOrder>, payment: Partial<PaymentState>) =>
  applyPaymentState(
    { ...order, ...stored },
    { number: 5, payment: { ...paid, ...payment } },
    { isLive: false },
  );

describe('an order', () => {
  it.each(['open', 'processing', 'expired', 'failed'] as OrderState[])(
    'that is %s is granted when it is paid: money is never forgotten',
    (state) => {
      expect(apply({ state }, {})).toEqual({
        kind: 'change',
        state: 'granted',
        isGranted: true,
        returnedCents: 0,
      });
    },
  );

  it('that is granted is not granted again', () => {
    expect(apply({ state: 'granted' }, {})).toMatchObject({ state: 'granted', isGranted: false });
  });

  it.each(['open', 'processing', 'expired', 'failed'] as const)(
    'follows an unpaid session: %s, and what was granted stays',
    (progress) => {
      expect(apply({}, { progress })).toMatchObject({ kind: 'change', state: progress, isGranted: false });
      expect(apply({ state: 'granted' }, { progress })).toEqual({ kind: 'nothing' });
    },
  );

  it('whose session is not stored yet is that of the session which names it', () => {
    expect(apply({ checkoutSessionId: null }, {})).toMatchObject({ state: 'granted', isGranted: true });
  });

  it('does not follow an answer to an older question than one that was answered', () => {
    const answered = (number: number) =>
      applyPaymentState(order, { number, payment: paid }, { isLive: false }).kind;
    expect([3, 4, 5].map(answered)).toEqual(['stale', 'change', 'change']);
  });

  it('has at most its price returned', () => {
    expect(apply({ state: 'granted' }, { returnedCents: 4_900 })).toMatchObject({ returnedCents: 4_900 });
    expect(apply({ state: 'granted' }, { returnedCents: 29_800 })).toMatchObject({ returnedCents: 14_900 });
  });
});

describe('a payment that is not what was ordered grants nothing', () => {
  it.each([
    [{ amountCents: 1_900 }, '1900 cents were paid, not 14900'],
    [{ amountCents: null }, 'no cents were paid, not 14900'],
    [{ currency: 'eur' }, 'it was paid in eur'],
    [{ reference: 'order-2' }, 'its session belongs to order-2'],
    [{ reference: null }, 'its session belongs to no order'],
    [{ isLive: true }, 'it was paid in live mode'],
    [{ sessionId: 'cs_2' }, 'a second session, cs_2, was paid'],
  ])('%j', (payment, problem) => {
    expect(apply({}, payment)).toEqual({ kind: 'mismatch', problem });
  });

  it('nor does a second session that nobody has paid', () => {
    expect(apply({}, { sessionId: 'cs_2', progress: 'expired' })).toEqual({ kind: 'nothing' });
  });

  it('test money is none where real money is taken', () => {
    const live = { isLive: true };
    expect(applyPaymentState(order, { number: 5, payment: paid }, live)).toMatchObject({ kind: 'mismatch' });
    const payment = { ...paid, ...live };
    expect(applyPaymentState(order, { number: 5, payment }, live)).toMatchObject({ isGranted: true });
  });
});
