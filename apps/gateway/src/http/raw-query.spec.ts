import fc from 'fast-check';
import { parseQuery } from './raw-query.js';

const known = ['q', 'limit'];

describe('parseQuery', () => {
  it.each([
    ['/search', {}],
    ['/search?', {}],
    ['/search?q=a+b%20c', { q: 'a b c' }],
    ['/search?&limit=5&&q=%F0%9F%8E%AE', { limit: '5', q: '🎮' }],
    ['/search?q=a=b?c', { q: 'a=b?c' }],
    ['/search?%71=x', { q: 'x' }],
  ])('reads %s', (url, values) => {
    const parsed = parseQuery(url, known);
    expect(Object.fromEntries(parsed.values)).toEqual(values);
    expect(parsed.problems).toEqual({});
  });

  it.each([
    ['x=1', 'x', 'not a known parameter'],
    ['__proto__=1', '__proto__', 'not a known parameter'],
    ['constructor=1', 'constructor', 'not a known parameter'],
    ['limit[x]=1', 'limit[x]', 'not a known parameter'],
    ['Q=a', 'Q', 'not a known parameter'],
    ['%ff=1', '%ff', 'not a known parameter'],
    ['q=a&q=a', 'q', 'once'],
    ['q=', 'q', 'empty'],
    ['q', 'q', 'empty'],
    ['q=+%20', 'q', 'empty'],
    ['q=%ff', 'q', 'UTF-8'],
    ['q=%zz', 'q', 'UTF-8'],
    ['q=%ED%A0%80', 'q', 'UTF-8'],
  ])('refuses %s and names the parameter', (query, name, words) => {
    const { problems } = parseQuery(`/search?${query}`, known);
    expect(Object.keys(problems)).toEqual([name]);
    expect(Object.values(problems).flat().join()).toContain(words);
  });

  it('names every problem at once', () => {
    const { problems } = parseQuery('/search?a=1&q=&b=2', known);
    expect(Object.keys(problems)).toEqual(['a', 'q', 'b']);
  });

  it('gives back any value that was encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        fc.pre(text.trim() !== '');
        expect(parseQuery(`/search?q=${encodeURIComponent(text)}`, known).values.get('q')).toBe(text);
      }),
    );
  });

  it('survives any query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        const { values } = parseQuery(`/search?${query}`, known);
        expect([...values.keys()].every((name) => known.includes(name))).toBe(true);
      }),
    );
  });
});
