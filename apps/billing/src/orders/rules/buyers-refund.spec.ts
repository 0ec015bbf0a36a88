import { refundableUntil, refusalOfRefund, type RefundableOrder } from './buyers-refund.js';

const grantedAt = new Date('2026-03-01T12:00:00.000Z');
const order: RefundableOrder = { credits: 500, grantedAt, returnedCents: 0, isRefundable: true };
const at = (hours: number, ms = 0): Date => new Date(grantedAt.getTime() + hours * 3_600_000 + ms);

it('an unused order is refunded within 24 hours of its grant, and not from then on', () => {
  expect(refundableUntil(order)).toEqual(at(24));
  expect(refusalOfRefund(order, 500, at(0))).toBeNull();
  expect(refusalOfRefund(order, 500, at(24, -1))).toBeNull();
  expect(refusalOfRefund(order, 500, at(24))).toContain('within 24 hours');
});

it('one credit that is not there is enough to refuse it', () => {
  expect(refusalOfRefund(order, 499, at(1))).toContain('Credits of this order were used');
});

it.each([
  ['without credits', { grantedAt: null }],
  ['whose money went back in part', { returnedCents: 1 }],
  ['that an operator could not refund either', { isRefundable: false }],
])('an order %s is not refunded', (_which, change) => {
  expect(refundableUntil({ ...order, ...change })).toBeNull();
  expect(refusalOfRefund({ ...order, ...change }, 500, at(1))).toContain('no payment that can be refunded');
});
