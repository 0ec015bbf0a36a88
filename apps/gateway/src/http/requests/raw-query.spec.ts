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
    ['/search?limit=%2010&q=+a++b%09', { limit: '10', q: 'a  b' }],
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

  it("drops a value that can't be decoded", () => {
    expect(parseQuery('/search?q=%ff&limit=5', known).values).toEqual(new Map([['limit', '5']]));
  });

  it('lists the known parameters', () => {
    const problemOf = (names: readonly string[]) => parseQuery('/search?x=1', names).problems.x;
    expect(problemOf(known)).toEqual(['not a known parameter; the parameters are q, limit']);
    expect(problemOf([])).toEqual(['not a known parameter; this path takes none']);
  });

  it('shortens an unknown name of more than 60 characters', () => {
    const name = 'x'.repeat(60);
    const { problems } = parseQuery(`/search?${name}=1&${name}x=1`, known);
    expect(Object.keys(problems)).toEqual([name, `${name}...`]);
  });

  it('names every problem at once', () => {
    const { problems } = parseQuery('/search?a=1&q=&b=2', known);
    expect(Object.keys(problems)).toEqual(['a', 'q', 'b']);
  });

  it('returns any encoded value, trimmed', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\u00a0', '\u3000') });
    const name = fc.constantFrom(...known);
    fc.assert(
      fc.property(name, space, fc.string({ unit: 'grapheme' }), space, (parameter, before, text, after) => {
        fc.pre(text.trim() !== '');
        const { values } = parseQuery(
          `/search?${parameter}=${encodeURIComponent(before + text + after)}`,
          known,
        );
        expect(values.get(parameter)).toBe(text.trim());
      }),
    );
  });

  it('treats white space alone as no value', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u3000') });
    fc.assert(
      fc.property(fc.constantFrom(...known), space, (parameter, blank) => {
        const { problems } = parseQuery(`/search?${parameter}=${encodeURIComponent(blank)}`, known);
        expect(problems[parameter]).toEqual([`${parameter} must not be empty; leave it out instead`]);
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
