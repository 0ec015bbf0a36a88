import { Order } from '../order.entity.js';
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
const open = { state: 'open', totalCents: null, paymentIntentId: null } as const;
const twice = { problem: 'a second session was paid' };
const inReview = { state: 'in_review', problem: 'it was paid in eur' } as const;
const refunded = { state: 'refunded', problem: 'it was paid in eur' } as const;
const spent = { returnedCents: 17_731, creditsNotRecovered: 1 };

it.each<[string, object, string, string]>([
  ['an unpaid order', open, '', ''],
  ['a payment that failed', { ...open, state: 'failed', paymentIntentId: 'pi_1' }, '', ''],
  ['a granted order', {}, '', 'refund'],
  ['one that was refunded in part', { returnedCents: 17_730 }, '', 'refund'],
  ['one that was refunded', { returnedCents: 17_731 }, '', ''],
  ['one that cost nothing', { totalCents: 0, paymentIntentId: null }, '', ''],
  ['one without amounts, refunded', { totalCents: null, returnedCents: 14_900 }, '', ''],
  ['a granted one that was paid twice', twice, 'problem', 'grant, mark_refunded'],
  ['a refunded one that was paid twice', refunded, 'problem', 'mark_refunded'],
  ['one in review', inReview, 'problem', 'grant, mark_refunded, refund'],
  ['one that was resolved', { ...inReview, state: 'granted', resolution: 'granted' }, '', 'refund'],
  ['a refunded problem', { ...refunded, resolution: 'refunded' }, '', ''],
  ['spent credits', spent, 'not_recovered', 'accept'],
  ['written-off credits', { ...spent, acceptedAt: at }, '', ''],
])('%s', (_name, change, concerns, actions) => {
  const order = Object.assign(new Order(), granted, change);
  expect([concernsOf(order).join(), actionsOf(order).join(', ')]).toEqual([concerns, actions]);
});
