import { actionsOf, concernsOf } from './order-concerns.js';

const at = new Date('2026-01-31T12:00:00Z');

/** A granted order of which nothing is amiss. */
const granted = {
  state: 'granted' as const,
  problem: null,
  resolution: null,
  priceCents: 14_900,
  totalCents: 17_731,
  returnedCents: 0,
  paymentIntentId: 'pi_1',
  creditsNotRecovered: 0,
  acceptedAt: null,
};
const open = { ...granted, state: 'open' as const, totalCents: null, paymentIntentId: null };
const inReview = { ...granted, state: 'in_review' as const, problem: 'it was paid in eur' };

it.each([
  ['an unpaid order', open, [], []],
  ['a payment that failed', { ...open, state: 'failed' as const, paymentIntentId: 'pi_1' }, [], []],
  ['a granted order', granted, [], ['refund']],
  ['one that was refunded in part', { ...granted, returnedCents: 17_730 }, [], ['refund']],
  ['one that was refunded', { ...granted, returnedCents: 17_731 }, [], []],
  ['one that cost nothing', { ...granted, totalCents: 0, paymentIntentId: null }, [], []],
  ['one of an older version, refunded', { ...granted, totalCents: null, returnedCents: 14_900 }, [], []],
  [
    'a granted one that was paid twice',
    { ...granted, problem: 'a second session was paid' },
    ['problem'],
    ['grant', 'mark_refunded'],
  ],
  [
    'a refunded one that was paid twice',
    { ...inReview, state: 'refunded' as const },
    ['problem'],
    ['mark_refunded'],
  ],
  ['one in review', inReview, ['problem'], ['grant', 'mark_refunded', 'refund']],
  [
    'one that was resolved',
    { ...inReview, state: 'granted' as const, resolution: 'granted' as const },
    [],
    ['refund'],
  ],
  [
    'a refunded problem',
    { ...inReview, state: 'refunded' as const, resolution: 'refunded' as const },
    [],
    [],
  ],
  [
    'spent credits',
    { ...granted, returnedCents: 17_731, creditsNotRecovered: 1 },
    ['not_recovered'],
    ['accept'],
  ],
  [
    'written-off credits',
    { ...granted, returnedCents: 17_731, creditsNotRecovered: 1, acceptedAt: at },
    [],
    [],
  ],
])('%s', (_name, order, concerns, actions) => {
  expect({ concerns: concernsOf(order), actions: actionsOf(order) }).toEqual({ concerns, actions });
});
