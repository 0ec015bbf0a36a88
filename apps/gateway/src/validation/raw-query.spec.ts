import { AnyText, Integer } from '#contracts';
import fc from 'fast-check';
import { RawQuery } from './raw-query.js';

class Asked {
  @AnyText({ optional: true }) readonly q?: string;
  @Integer({ optional: true }) readonly limit?: number;
}

class Nothing {}

const known = ['q', 'limit'];
const read = (query: string) => RawQuery.parse(query).valuesFor(Asked);

it.each([
  ['', {}],
  ['q=a+b%20c', { q: 'a b c' }],
  ['q=a=b?c', { q: 'a=b?c' }],
  ['%71=x', { q: 'x' }],
  ['limit=%2010&q=+a++b%09', { limit: '10', q: 'a  b' }],
])('a query of %j has its values', (query, values) => {
  expect(read(query)).toEqual({ values, problems: {} });
});

it.each([
  ['x=1', 'x', 'not a known parameter'],
  ['__proto__=1', '__proto__', 'not a known parameter'],
  ['constructor=1', 'constructor', 'not a known parameter'],
  ['limit[x]=1', 'limit[x]', 'not a known parameter'],
  ['%ff=1', '%ff', 'not a known parameter'],
  ['q=a&q=a', 'q', 'once'],
  ['q=', 'q', 'empty'],
  ['q', 'q', 'empty'],
  ['q=%ff', 'q', 'UTF-8'],
  ['q=%ED%A0%80', 'q', 'UTF-8'],
])('a query of %s is refused by the name of the parameter', (query, name, words) => {
  const { problems } = read(query);
  expect(Object.keys(problems)).toEqual([name]);
  expect(Object.values(problems).flat().join()).toContain(words);
});

it('a query with an unknown name is answered with the known ones', () => {
  expect(read('x=1').problems.x).toEqual(['x is not a known parameter; the parameters are q, limit']);
  expect(RawQuery.parse('x=1').valuesFor(Nothing).problems.x).toEqual([
    'x is not a known parameter; this path takes none',
  ]);
});

it('a query with a link that is not encoded is refused where the parameters of the link would be taken for ours', () => {
  const { problems } = read('q=https://www.instagram.com/mira/?igshid=abc&utm_source=qr');
  expect(Object.keys(problems).sort()).toEqual(['q', 'utm_source']);
  expect(problems.q?.[0]).toContain('percent-encoded');
  expect(Object.keys(read('q=who?&utm_source=qr').problems)).toEqual(['utm_source']);
});

it('a query of any characters is read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (query) => {
      expect(Object.keys(read(query).values).every((name) => known.includes(name))).toBe(true);
    }),
  );
});
