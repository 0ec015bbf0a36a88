import { actionsOf, concernsOf } from './order-concerns.js';

const at = new Date('2026-01-31T12:00:00Z');
const before = new Date('2026-01-31T11:59:59Z');

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
  fraudWarningAt: null,
  acceptedAt: null,
};
const open = { ...granted, state: 'open' as const, totalCents: null, paymentIntentId: null };
const inReview = { ...granted, state: 'in_review' as const, problem: 'it was paid in eur' };
const warned = { ...granted, fraudWarningAt: at };

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
  ['a warning', warned, ['fraud_warning'], ['refund', 'accept']],
  ['a warning of a refunded payment', { ...warned, returnedCents: 17_731 }, [], []],
  [
    'a warning of a problem that was refunded',
    {
      ...warned,
      ...inReview,
      fraudWarningAt: at,
      state: 'refunded' as const,
      resolution: 'refunded' as const,
    },
    [],
    [],
  ],
  ['an accepted warning', { ...warned, acceptedAt: at }, [], ['refund']],
  [
    'a warning that came after something else was accepted',
    { ...warned, returnedCents: 5_000, creditsNotRecovered: 1, acceptedAt: before },
    ['fraud_warning'],
    ['refund', 'accept'],
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
