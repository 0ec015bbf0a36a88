import { readUnknownFilters } from './unknown-filters.js';

it.each([
  [null, [], {}],
  ['country, language', ['country', 'language'], {}],
  ['country;closest="United Kingdom", language', ['country', 'language'], { country: 'United Kingdom' }],
  ['country;closest="a\\"b\\\\c, d"', ['country'], { country: 'a"b\\c, d' }],
  ['category, language;closest=%"T%c3%bcrk%c3%a7e"', ['category', 'language'], { language: 'Türkçe' }],
])('reads %s', (header, names, closestValues) => {
  expect(readUnknownFilters(header)).toEqual({ names, closestValues });
});
