import { linkOf, readUnknownFilters, retryAfterSeconds } from './parsing.js';

it.each<[string | null, string | null]>([
  [null, null],
  ['<https://a.example/?cursor=1>; rel="next"', 'https://a.example/?cursor=1'],
  ['<https://a.example/?x=1,2;3>; rel=next', 'https://a.example/?x=1,2;3'],
  ['<a>; rel="prev", <b>; title="x"; REL="NEXT"', 'b'],
  ['<a>; rel="last next"', 'a'],
  ['<a>; rel="nextish", <b>; rel="successor-version"', null],
  ['<a>; title="rel=next"', null],
])('the next page of Link: %s is %s', (header, url) => {
  expect(linkOf(header, 'next')).toBe(url);
});

const now = Date.parse('2026-03-01T12:00:00.400Z');

it.each<[string | null, number | null]>([
  [null, null],
  ['0', 0],
  [' 7 ', 7],
  ['Sun, 01 Mar 2026 12:00:03 GMT', 3],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['soon', null],
])('Retry-After: %s asks for %s seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds);
});

it.each([
  [null, [], {}],
  ['country, language', ['country', 'language'], {}],
  ['country;closest="United Kingdom", language', ['country', 'language'], { country: 'United Kingdom' }],
  ['country;closest="a\\"b\\\\c, d"', ['country'], { country: 'a"b\\c, d' }],
  ['category, language;closest=%"T%c3%bcrk%c3%a7e"', ['category', 'language'], { language: 'Türkçe' }],
])('reads %s', (header, names, closestValues) => {
  expect(readUnknownFilters(header)).toEqual({ names, closestValues });
});
