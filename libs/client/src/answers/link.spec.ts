import { linkOf } from './link.js';

it.each<[string | null, string | null]>([
  [null, null],
  ['', null],
  ['<https://a.example/?cursor=1>; rel="next"', 'https://a.example/?cursor=1'],
  ['<https://a.example/?x=1,2;3>; rel=next', 'https://a.example/?x=1,2;3'],
  ['<a>; rel="prev", <b>; title="x"; REL="NEXT"', 'b'],
  ['<a>; rel="last next"', 'a'],
  ['<a>; rel="nextish", <b>; rel="successor-version"', null],
  ['<a>; title="rel=next"', null],
])('the next page of Link: %s is %s', (header, url) => {
  expect(linkOf(header, 'next')).toBe(url);
});
