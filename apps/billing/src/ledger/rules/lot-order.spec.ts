import { byPurchase, lotOrder } from './allocate.js';

const first = { id: 'a', purchasedAt: new Date(1_000) };
const sameInstant = { id: 'b', purchasedAt: new Date(1_000) };
const later = { id: '0', purchasedAt: new Date(1_001) };

it('lots are sorted by purchase, then by id', () => {
  expect([later, sameInstant, first].sort(byPurchase)).toEqual([first, sameInstant, later]);
  expect([byPurchase(first, sameInstant), byPurchase(sameInstant, first)]).toEqual([-1, 1]);
  expect([byPurchase(first, later), byPurchase(later, first)]).toEqual([-1, 1]);
});

it('a lot is equal to itself', () => {
  expect(byPurchase(first, { ...first })).toBe(0);
});

it('the order is the same in SQL', () => {
  expect(lotOrder('lots')).toBe('lots.purchased_at, lots.id');
});
