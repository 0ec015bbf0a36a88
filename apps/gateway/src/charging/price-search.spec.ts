import { type SearchRequest } from '#contracts';
import { sha256 } from '#platform';
import { priceSearch, repetitionOf } from './price-search.js';

const values = {
  q: 'luna',
  country: 'France',
  category: 'fitness',
  language: 'French',
  platform: 'x',
  min_followers: 0,
  max_followers: 10,
} as const;

function combinations(): { search: SearchRequest; used: number }[] {
  const names = Object.keys(values);
  return Array.from({ length: 2 ** names.length }, (_, bits) => {
    const chosen = Object.entries(values).filter((_entry, index) => bits & (1 << index));
    return { search: { limit: 50, ...Object.fromEntries(chosen) }, used: chosen.length };
  });
}

it.each(combinations())(
  'a search costs 1 and 1 for each filter used, or nothing: $search',
  ({ search, used }) => {
    expect(priceSearch(search, 1)).toBe(1 + used);
    expect(priceSearch({ ...search, limit: 1 }, 1_000_000)).toBe(1 + used);
    expect(priceSearch(search, 0)).toBe(0);
  },
);

it('a call is marked by its key with its Idempotency-Key and by what it asks, or not at all', () => {
  const found = { metered: { operation: 'search', credits: 2 }, parameters: { q: 'luna' } } as const;
  expect(repetitionOf('key', found, undefined)).toEqual({});
  expect(repetitionOf('key', found, 'a')).toEqual({
    idempotency_key_hash: sha256('key a'),
    fingerprint: sha256('["search",{"q":"luna"}]'),
  });
});
