import { type SearchRequest } from '@app/contracts';
import fc from 'fast-check';
import { readSearchQuery } from './search-query.js';

const values = {
  q: 'mira solenne',
  country: 'France',
  category: 'Food & Drink',
  language: 'French',
  platform: 'youtube',
  min_followers: '10',
  max_followers: '2000',
  limit: '10',
};
const names = Object.keys(values) as (keyof typeof values)[];

function read(written: Readonly<Record<string, string>>): SearchRequest {
  const pairs = Object.entries(written).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return readSearchQuery(`/search?${pairs.join('&')}`);
}

describe('readSearchQuery', () => {
  it('means the same whatever white space is around a value, of any parameter', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\u00a0') });
    fc.assert(
      fc.property(fc.subarray(names), space, space, (given, before, after) => {
        const plain = Object.fromEntries(given.map((name) => [name, values[name]]));
        const padded = Object.fromEntries(given.map((name) => [name, before + values[name] + after]));
        expect(read(padded)).toEqual(read(plain));
      }),
    );
  });

  it.each([
    ['C++', 'C'],
    ['C%2B%2B', 'C++'],
  ])('q=%s looks for %s', (written, q) => {
    expect(readSearchQuery(`/search?q=${written}`)).toMatchObject({ q });
  });

  it.each(names)('refuses a blank %s', (name) => {
    expect(() => read({ [name]: ' \t' })).toThrow(name);
  });
});
