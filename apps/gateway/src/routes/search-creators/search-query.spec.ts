import { type SearchRequest, ServiceError } from '@app/contracts';
import fc from 'fast-check';
import { writeCursor } from './search-cursor.js';
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

function problemsOf(written: Readonly<Record<string, string>>): object {
  try {
    read(written);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error.details ?? {};
    throw error;
  }
  return {};
}

describe('readSearchQuery', () => {
  it('ignores white space around the value of any parameter', () => {
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

  it('reads every parameter, and 50 creators when nothing else is asked for', () => {
    expect(read(values)).toStrictEqual({ ...values, min_followers: 10, max_followers: 2_000, limit: 10 });
    expect(read({})).toStrictEqual({ limit: 50 });
  });

  it.each<[string, string]>([
    ['q', '🎮'.repeat(100)],
    ['country', 'é'.repeat(100)],
    ['min_followers', '0'],
    ['max_followers', '9007199254740991'],
    ['limit', '1'],
    ['limit', '100'],
  ])('takes %s=%s', (name, value) => {
    expect(() => read({ [name]: value })).not.toThrow();
  });

  const ofText = (name: string) =>
    `${name} must have at most 100 characters, none of them a control character`;
  const ofFollowers = (name: string) => `${name} must be an integer between 0 and 9007199254740991`;
  const ofLimit = 'limit must be an integer between 1 and 100';
  it.each<[string, string, string]>([
    ['q', 'a'.repeat(101), ofText('q')],
    ['country', '🎮'.repeat(101), ofText('country')],
    ['category', 'a\u0007b', ofText('category')],
    ['language', 'a'.repeat(201), ofText('language')],
    ['q', '@ @', 'q must have at least one letter, digit or other searchable character'],
    ['platform', 'myspace', 'platform must be one of youtube, instagram, tiktok, facebook, x'],
    ['min_followers', '-1', ofFollowers('min_followers')],
    ['min_followers', '1.5', ofFollowers('min_followers')],
    ['max_followers', '9007199254740992', ofFollowers('max_followers')],
    ['max_followers', '00000000000000001', ofFollowers('max_followers')],
    ['limit', '0', ofLimit],
    ['limit', '101', ofLimit],
    ['limit', '1e1', ofLimit],
    ['limit', 'x1', ofLimit],
    ['limit', '1x', ofLimit],
  ])('refuses %s=%s and says why', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual({ [name]: [problem] });
  });

  it('names all that is wrong at once', () => {
    expect(Object.keys(problemsOf({ limit: '0', platform: 'myspace', colour: 'red' })).sort()).toEqual([
      'colour',
      'limit',
      'platform',
    ]);
  });

  it('refuses an empty range, and accepts one of a single number', () => {
    const problem = ['min_followers must not be greater than max_followers'];
    const range = { min_followers: '5', max_followers: '4' };
    expect(problemsOf(range)).toEqual({ min_followers: problem, max_followers: problem });
    expect(read({ ...range, max_followers: '5' })).toMatchObject({ min_followers: 5, max_followers: 5 });
  });

  it('begins where its cursor says, and takes no cursor of a search with other filters', () => {
    const search = read({ q: 'mira', platform: 'youtube' });
    const cursor = writeCursor(search, { slug: 'mira', updated_at: '2026-01-31T00:00:00.000Z' });
    expect(read({ q: 'mira', platform: 'youtube', cursor })).toEqual({
      ...search,
      after_slug: 'mira',
      after_updated_at: '2026-01-31T00:00:00.000Z',
    });
    expect(problemsOf({ q: 'mira', cursor })).toEqual({
      cursor: ['cursor belongs to a search with other filters'],
    });
  });
});
