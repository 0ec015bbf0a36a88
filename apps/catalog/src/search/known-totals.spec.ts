import { KnownTotals } from './known-totals.js';
import { toCriteria } from './search.controller.js';

const state = { catalogId: 'catalog', revision: 7 };

it('knows the total of a search for each of its pages, and of no other search', () => {
  const totals = new KnownTotals();
  totals.keep(toCriteria({ q: 'Zoë', limit: 50 }), { total: 3, state });
  totals.keep(toCriteria({ country: 'zoe', limit: 50 }), { total: 5, state });
  expect(totals.find(toCriteria({ q: 'zoe', limit: 2, after_slug: 'a' }))).toEqual({ total: 3, state });
  expect(totals.find(toCriteria({ country: 'Zoë', limit: 50 }))).toEqual({ total: 5, state });
  expect(totals.find(toCriteria({ language: 'zoe', limit: 50 }))).toBeUndefined();
  expect(totals.find(toCriteria({ q: 'zoe', min_followers: 0, limit: 50 }))).toBeUndefined();
});

it('forgets those first that were counted longest ago', () => {
  const totals = new KnownTotals(2);
  const search = (q: string) => toCriteria({ q, limit: 1 });
  for (const q of ['a', 'b', 'a', 'c']) totals.keep(search(q), { total: 1, state });
  expect(['a', 'b', 'c'].map((q) => totals.find(search(q))?.total)).toEqual([1, undefined, 1]);
});
