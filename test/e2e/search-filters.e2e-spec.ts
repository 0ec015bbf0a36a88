import { type SearchParameters } from '#client';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const pool = new KeyPool();
const { country } = catalog;
const account = (platform: string, followers: number, handle: string = randomWord()) =>
  catalog.account({ platform, followers, handle });

const records = [
  catalog.record('accents', {
    name: 'Ágnes Søren Þóra',
    categories: ['food-drink'],
    languages: ['Português', 'English'],
  }),
  catalog.record('greek', { name: 'ΟΔΥΣΣΕΥΣ Νίκος', languages: ['Ελληνικά'] }),
  catalog.record('han', { name: '霁川小小' }),
  catalog.record('odd-signs', { name: `100% a_b c\\d "e" 'f'` }),
  catalog.record('handle', {
    name: 'Someone',
    platforms: [account('instagram', 500, 'loud.stone'), account('x', 40, 'quiet_river')],
  }),
  catalog.record('large', { name: 'Large', platforms: [account('tiktok', 5_000), account('x', 5_000)] }),
  catalog.record('spaced', { name: 'Two  Spaced\u00a0Words' }),
];

/** Names, without the suite's marker, of the creators that this search finds. */
async function found(params: SearchParameters): Promise<string[]> {
  const { creators } = await pool.search({ country, limit: 100, ...params });
  return creators.map(({ slug }) => slug.replace(`${catalog.marker}-`, '')).sort();
}

beforeAll(async () => {
  await catalog.import(candidates);
  await catalog.importVisible(records, pool);
});

// Every letter: libs/contracts/src/text/fold.spec.ts; random catalogs and filters: apps/catalog/src/search.
describe('the filter q', () => {
  it.each([
    ['thora', 'accents', 'plain letters for others'],
    ['soren agnes', 'accents', 'several words, in any order'],
    ['小', 'han', 'one Han character'],
    ['100%', 'odd-signs', 'a percent sign, which is no wildcard'],
    ['@QUIET', 'handle', 'the start of a handle, in capitals'],
    ['someone loud.stone', 'handle', 'one word in the name, one in a handle'],
    ['  two \u3000  words  ', 'spaced', 'with white space around'],
  ])('%s finds %s: %s', async (q, expected) => {
    expect(await found({ q })).toEqual([expected]);
  });
});

describe('the filters country, category, language and platform', () => {
  it.each<[SearchParameters, string[]]>([
    [{ country: country.slice(0, -1) }, []],
    [{ category: 'food-drink' }, ['accents']],
    [{ category: 'Food & Drínk' }, ['accents']],
    [{ category: 'food' }, []],
    [{ language: 'portugues' }, ['accents']],
    [{ language: 'ΕΛΛΗΝΙΚΑ' }, ['greek']],
    [{ language: 'Engl' }, []],
    [{ platform: 'tiktok' }, ['large']],
    [{ platform: 'x' }, ['handle', 'large']],
    [{ platform: 'facebook' }, []],
  ])('%j finds %j', async (params, expected) => {
    expect(await found(params)).toEqual(expected);
  });
});

describe('the filters min_followers and max_followers', () => {
  it.each<[string, SearchParameters, string[]]>([
    ['total reach, from', { min_followers: 10_000 }, ['large']],
    ['total reach, above', { min_followers: 10_001 }, []],
    ['total reach, to', { max_followers: 540 }, ['handle']],
    ['total reach, below', { max_followers: 539 }, []],
    ['one number', { min_followers: 540, max_followers: 540 }, ['handle']],
    ['followers on the platform, to', { platform: 'x', max_followers: 40 }, ['handle']],
    ['followers on the platform, from', { platform: 'x', min_followers: 41 }, ['large']],
    ['followers on the platform, above', { platform: 'x', min_followers: 5_001 }, []],
    ['the largest number', { min_followers: Number.MAX_SAFE_INTEGER }, []],
  ])('%s: %j finds %j', async (_what, params, expected) => {
    expect(await found(params)).toEqual(expected);
  });
});

/** All seven filters, with values that only one creator of this suite matches. */
const filters = {
  q: randomWord(),
  country: `${country} Elsewhere`,
  category: `niche-${randomWord()}`,
  language: `Tongue ${randomWord()}`,
  platform: 'tiktok',
  min_followers: 1_500,
  max_followers: 6_500,
} as const;
type Filter = keyof typeof filters;
const filterNames = Object.keys(filters) as Filter[];

/** A creator that matches all of the filters, or all but one. */
function candidate(name: string, failed?: Filter) {
  const sizes = { min_followers: 1_499, max_followers: 6_501 };
  const followers = failed === 'min_followers' || failed === 'max_followers' ? sizes[failed] : 1_500;
  return catalog.record(name, {
    name: failed === 'q' ? 'Someone else' : `Prefixed ${filters.q.toUpperCase()}s`,
    country: failed === 'country' ? `${country} Nowhere` : filters.country,
    categories: failed === 'category' ? ['gaming'] : [filters.category, 'gaming'],
    languages: failed === 'language' ? ['French'] : ['French', filters.language],
    platforms: [account(failed === 'platform' ? 'youtube' : 'tiktok', followers)],
  });
}

const match = candidate('match');
const others = new Map(filterNames.map((name) => [name, candidate(`other-${name.replace('_', '-')}`, name)]));
const candidates = [match, ...others.values()];

describe('a search finds what matches all its filters, for 1 credit and 1 for each filter', () => {
  async function expectFound(
    names: readonly Filter[],
    slugs: readonly (string | undefined)[],
  ): Promise<void> {
    const query = names.map((name) => `${name}=${encodeURIComponent(filters[name])}`).join('&');
    const { status, body } = await api.searchRaw(query, await pool.key());
    expect([status, body.credits_used]).toEqual([200, 1 + names.length]);
    expect(body.creators.map(({ slug }) => slug).sort()).toEqual(slugs.toSorted());
  }

  it('all seven', () => expectFound(filterNames, [match.slug]));

  it.each(filterNames)('all but %s', async (name) => {
    const rest = filterNames.filter((each) => each !== name);
    await expectFound(rest, [match.slug, others.get(name)?.slug]);
  });
});
