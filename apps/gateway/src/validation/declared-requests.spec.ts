import {
  type Field,
  fieldsOf,
  publicOperations,
  SearchQuery,
  type ShapeClass,
  AccountToFind,
  AccountsToFind,
} from '#contracts';
import { problemsOf } from '../fixtures/problems-of.fixture.js';
import { RawQuery } from './raw-query.js';
import { readBody, readQuery } from './shape.pipe.js';

const queryOf = (values: Readonly<Record<string, string>>): RawQuery =>
  RawQuery.parse(new URLSearchParams(values).toString());
const problemsOfQuery = (Class: ShapeClass, values: Readonly<Record<string, string>>) =>
  problemsOf(() => readQuery(Class, queryOf(values)));

/** Values at the edges of what a field's schema allows, and next to them what it does not. */
function edgesOf({ schema }: Field): [value: string, isValid: boolean][] {
  const { minimum, maximum, maxLength, pattern, format, type } = schema;
  const edges: [string, boolean][] = [];
  if (typeof minimum === 'number') edges.push([String(minimum), true], [String(minimum - 1), false]);
  if (typeof maximum === 'number') edges.push([String(maximum), true], [String(BigInt(maximum) + 1n), false]);
  if (type === 'integer') {
    for (const wrong of ['1.5', 'x', '1x', 'x1', '1e1', '0x10', '00000000000000001', '+1']) {
      edges.push([wrong, false]);
    }
  }
  if (typeof maxLength === 'number' && pattern === undefined) {
    edges.push(['ñ'.repeat(maxLength), true], ['🎮'.repeat(maxLength + 1), false]);
  }
  for (const choice of (schema.enum ?? []) as string[]) edges.push([choice, true], [`${choice}x`, false]);
  if (format === 'date') edges.push(['2026-01-31', true], ['2026-02-30', false], ['31.1.2026', false]);
  if (format === 'uuid') edges.push(['0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', true], ['0190a1b2', false]);
  return edges;
}

const withQuery = publicOperations.flatMap(({ name, query }) => (query ? [{ name, query }] : []));

describe.each(withQuery.filter(({ query }) => query !== AccountToFind))('the query of $name', ({ query }) => {
  const fields = [...fieldsOf(query)];

  it.each(fields)('takes and refuses what the documents say of %s', (name, field) => {
    const edges = edgesOf(field);
    // One of the orders needs a platform.
    const beside: Record<string, string> = name === 'sort' ? { platform: 'x' } : {};
    const isValid = ([value]: [string, boolean]): boolean =>
      !(name in problemsOfQuery(query, { ...beside, [name]: value }));
    expect(edges.map((edge) => [edge[0], isValid(edge)])).toEqual(edges);
  });
});

describe('a search', () => {
  const values = {
    q: 'mira solenne',
    country: 'France',
    category: 'Food & Drink',
    language: 'French',
    platform: 'youtube',
    min_followers: '10',
    max_followers: '2000',
    limit: '10',
    sort: 'followers',
  };

  it('has 50 creators on a page, and numbers for digits', () => {
    expect({ ...readQuery(SearchQuery, queryOf({})) }).toEqual({ limit: 50, sort: 'recent' });
    const read = readQuery(SearchQuery, queryOf(values));
    expect({ ...read }).toEqual({ ...values, min_followers: 10, max_followers: 2_000, limit: 10 });
  });

  it.each([
    ['q', '@ @', 'q must be a string of 1 to 100 characters without control characters, with a letter'],
    ['q', '\u0301', 'with a letter, digit or other searchable character'],
    ['category', 'a\u0007b', 'category must be a string of 1 to 100 characters without control characters'],
    ['platform', 'myspace', 'platform must be one of youtube, instagram, tiktok, facebook, x'],
    ['min_followers', '-1', 'min_followers must be an integer between 0 and 9007199254740991'],
    ['sort', 'newest', 'sort must be one of recent, reach, followers'],
    ['limit', '101', 'limit must be an integer between 1 and 100'],
  ])('with %s=%j is refused with the reason', (name, value, sentence) => {
    expect(problemsOfQuery(SearchQuery, { [name]: value })).toEqual({
      [name]: [expect.stringContaining(sentence)],
    });
  });

  const emptyRange = ['min_followers must not be greater than max_followers'];
  const unsorted = ['sort=followers needs platform, whose followers decide; sort=reach needs none'];

  it.each([
    [
      { min_followers: '5', max_followers: '4' },
      { min_followers: emptyRange, max_followers: emptyRange },
    ],
    [{ min_followers: '5', max_followers: '5' }, {}],
    [{ sort: 'followers' }, { sort: unsorted, platform: unsorted }],
    [{ sort: 'followers', platform: 'x' }, {}],
    [{ sort: 'reach' }, {}],
  ])('with %j has the problems %j', (values, problems) => {
    expect(problemsOfQuery(SearchQuery, values)).toEqual(problems);
  });
});

describe('a look-up of one account', () => {
  it.each([
    ['', ['url']],
    ['platform=x', ['handle']],
    ['handle=mira', ['platform']],
    ['url=x.com/mira&handle=mira', ['handle', 'url']],
    ['url=x.com/mira&platform=x&handle=mira', ['handle', 'platform', 'url']],
  ])('names what is wrong in ?%s', (query, names) => {
    const problems = problemsOf(() => readQuery(AccountToFind, RawQuery.parse(query)));
    expect(Object.keys(problems).sort()).toEqual(names);
    for (const sentences of Object.values(problems)) expect(sentences.join()).toMatch(/^\S+ \S+ \S+/);
  });
});

describe('a look-up of many accounts', () => {
  const link = { url: 'https://x.com/mira' };
  const name = { platform: 'x', handle: 'mira' };
  const problemsOfBody = (body: unknown) =>
    problemsOf(() => readBody(AccountsToFind, JSON.parse(JSON.stringify(body))));

  it('takes links and names, as they are, in their order', () => {
    const accounts = [link, name, { url: '' }, { platform: 'nowhere', handle: '\0'.repeat(5_000) }, link];
    expect(readBody(AccountsToFind, { accounts })).toEqual({ accounts });
    expect(problemsOfBody({ accounts: Array.from({ length: 100 }, () => link) })).toEqual({});
  });

  it.each([
    [{}, ['accounts']],
    [{ accounts: Array.from({ length: 101 }, () => link) }, ['accounts']],
    [{ accounts: link, limit: 5 }, ['accounts', 'limit']],
    [{ accounts: [link, 'https://x.com/mira', null, [link]] }, ['accounts[1]', 'accounts[2]', 'accounts[3]']],
    [{ accounts: [link, { platform: 'x' }] }, ['accounts[1].handle']],
    [
      { accounts: [{ url: 7 }, { platform: null, handle: {} }, {}] },
      ['accounts[0].url', 'accounts[1].handle', 'accounts[1].platform', 'accounts[2].url'],
    ],
    [[link], ['body']],
  ])('names what is wrong in %j', (body, names) => {
    const problems = problemsOfBody(body);
    expect(Object.keys(problems).sort()).toEqual(names);
    for (const sentences of Object.values(problems)) expect(sentences.join()).toMatch(/^\S+ \S+ \S+/);
  });

  it('is answered in about its size, whatever it has that is unknown', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
    expect(Object.keys(problemsOfBody({ ...many, accounts: [many] }))).toHaveLength(20);
    const long = problemsOfBody({ accounts: [link], ['x'.repeat(60_000)]: 1 });
    expect(JSON.stringify(long).length).toBeLessThan(300);
  });
});
