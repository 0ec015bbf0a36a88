import { type SearchParameters } from '@app/client';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const pool = new KeyPool();
const { country } = catalog;
const account = (platform: string, followers: number, handle: string = randomWord()) =>
  catalog.account({ platform, followers, handle });

const records = [
  catalog.record('accents', {
    name: 'Ágnes Łukasz Søren Þóra Æsa Œuvre Đorđe',
    categories: ['food-drink'],
    languages: ['Português', 'English'],
  }),
  catalog.record('greek', { name: 'ΟΔΥΣΣΕΥΣ Νίκος', languages: ['Ελληνικά'] }),
  catalog.record('hangul', { name: '하늘 라온', languages: ['한국어'] }),
  catalog.record('han', { name: '霁川小小' }),
  catalog.record('arabic', { name: 'مُحَلَّى الأُفُق' }),
  catalog.record('cyrillic', { name: 'Ёлка Ветролев' }),
  catalog.record('mathematical', { name: '𝓜𝓪𝓻𝓲𝓷𝓪 𝔾𝕠𝕝𝕕' }),
  catalog.record('fullwidth', { name: 'Ｆｕｌｌ ﬁne' }),
  catalog.record('odd-signs', { name: `100% a_b c\\d "e" 'f'` }),
  catalog.record('handle', {
    name: 'Someone',
    platforms: [account('instagram', 500, 'quiet_river'), account('x', 40, 'loud.stone')],
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
  await combined.import(masks.map(({ record }) => record));
  await catalog.importVisible(records, pool);
});
afterAll(() => Promise.all([catalog.remove(), combined.remove()]));

describe('the filter q', () => {
  it.each([
    ['agnes', 'accents', 'without the accent'],
    ['ÁGNES', 'accents', 'in capitals'],
    ['lukasz', 'accents', 'l for ł'],
    ['soren', 'accents', 'o for ø'],
    ['thora', 'accents', 'th for þ'],
    ['aesa', 'accents', 'ae for æ'],
    ['oeuvre', 'accents', 'oe for œ'],
    ['dorde', 'accents', 'd for đ'],
    ['gne', 'accents', 'a part of a word'],
    ['agnes soren', 'accents', 'several words'],
    ['soren agnes', 'accents', 'in any order'],
    ['οδυσσευς', 'greek', 'a final sigma'],
    ['οδυσσευσ', 'greek', 'a sigma that is not final'],
    ['οδυς', 'greek', 'a final sigma that is not final in the name'],
    ['νικος', 'greek', 'Greek without the accent'],
    ['하늘', 'hangul', 'Hangul'],
    ['하늘'.normalize('NFD'), 'hangul', 'Hangul taken apart'],
    ['小', 'han', 'one Han character'],
    ['محلى', 'arabic', 'Arabic without vowel signs'],
    ['елка', 'cyrillic', 'Cyrillic without the dots'],
    ['marina gold', 'mathematical', 'plain letters for mathematical ones'],
    ['full fine', 'fullwidth', 'plain letters for full-width ones and ligatures'],
    ['100%', 'odd-signs', 'a percent sign, which is no wildcard'],
    ['a_b', 'odd-signs', 'an underscore, which is no wildcard'],
    ['c\\d', 'odd-signs', 'a backslash'],
    [`"e" 'f'`, 'odd-signs', 'quotes'],
    ['quiet_river', 'handle', 'a handle'],
    ['@quiet_river', 'handle', 'a handle with @'],
    ['@QUIET', 'handle', 'the start of a handle, in capitals'],
    ['someone loud.stone', 'handle', 'one word in the name, one in a handle'],
    ['river stone', 'handle', 'two words in two handles'],
    ['spaced words', 'spaced', 'over white space of any kind'],
    ['  two \u3000  words  ', 'spaced', 'with white space around'],
  ])('%s finds %s: %s', async (q, expected) => {
    expect(await found({ q })).toEqual([expected]);
  });

  it.each([
    ['agnes nobody', [], 'one word of two does not match'],
    ['quietriver', [], 'a handle is not the same without its underscore'],
    ['a%b', [], 'a percent sign is no wildcard'],
    ['a.b', [], 'a dot is no wildcard'],
    ['%', ['odd-signs'], 'only names with a percent sign'],
    ['_', ['handle', 'odd-signs'], 'only names with an underscore'],
    ['\\', ['odd-signs'], 'only names with a backslash'],
    ['@someone', ['handle'], 'a leading @ is dropped, also before a name'],
  ])('%s finds %j: %s', async (q, expected) => {
    expect(await found({ q })).toEqual(expected);
  });
});

describe('the filters country, category, language and platform', () => {
  it.each([
    ['capitals', country.toUpperCase()],
    ['white space around and within', `  ${country.replace(' ', '   ')} `],
    ['accents', country.replace('e', 'é')],
  ])('country ignores %s', async (_what, written) => {
    expect(await found({ country: written })).toHaveLength(records.length);
  });

  it.each<[SearchParameters, string[]]>([
    [{ country: country.slice(0, -1) }, []],
    [{ category: 'food-drink' }, ['accents']],
    [{ category: 'Food & Drink' }, ['accents']],
    [{ category: 'FOOD-DRINK' }, ['accents']],
    [{ category: 'Food-Drínk' }, ['accents']],
    [{ category: 'food' }, []],
    [{ language: 'Português' }, ['accents']],
    [{ language: 'portugues' }, ['accents']],
    [{ language: 'ΕΛΛΗΝΙΚΑ' }, ['greek']],
    [{ language: '한국어' }, ['hangul']],
    [{ language: 'Engl' }, []],
    [{ platform: 'tiktok' }, ['large']],
    [{ platform: 'x' }, ['handle', 'large']],
    [{ platform: 'facebook' }, []],
  ])('%j finds %j', async (params, expected) => {
    expect(await found(params)).toEqual(expected);
  });

  it('language finds creators with any of their languages', async () => {
    expect(await found({ language: 'english' })).toContain('accents');
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

  it.each<SearchParameters>([{ min_followers: 0 }, { max_followers: Number.MAX_SAFE_INTEGER }])(
    '%j excludes no creator',
    async (params) => {
      expect(await found(params)).toHaveLength(records.length);
    },
  );
});

const word = randomWord();
const category = `niche-${randomWord()}`;
const language = `Tongue ${randomWord()}`;
const combined = new SuiteCatalog();
const elsewhere = `${combined.country} Elsewhere`;

/** All seven filters, each with a value that some creators of this suite match and some do not. */
const filters = {
  q: word,
  country: combined.country,
  category,
  language,
  platform: 'tiktok',
  min_followers: 1_500,
  max_followers: 6_500,
} as const;
type Filter = keyof typeof filters;
const filterNames = Object.keys(filters) as Filter[];
const isolating: readonly Filter[] = ['q', 'country', 'category', 'language'];

/** One creator for each combination of matching and other values in the first five filters; sizes vary over them. */
const masks = Array.from({ length: 32 }, (_, mask) => {
  const [q, inCountry, inCategory, speaks, onTiktok] = filterNames.map(
    (_name, bit) => (mask & (1 << bit)) !== 0,
  );
  const [followers, onX] = [1_000 + ((mask * 7) % 32) * 200, (mask % 5) * 500];
  const record = combined.record(`mask-${mask}`, {
    name: q ? `Prefixed ${word.toUpperCase()}s` : 'Someone else',
    country: inCountry ? combined.country : elsewhere,
    categories: inCategory ? [category, 'gaming'] : ['gaming'],
    languages: speaks ? ['French', language] : ['French'],
    platforms: [
      combined.account({ platform: onTiktok ? 'tiktok' : 'youtube', followers }),
      combined.account({ platform: 'x', followers: onX }),
    ],
  });
  const matches = (names: readonly Filter[]): boolean => {
    // The followers on the platform that is searched, else the total reach.
    const size = names.includes('platform') ? followers : followers + onX;
    const byName = {
      q,
      country: inCountry,
      category: inCategory,
      language: speaks,
      platform: onTiktok,
      min_followers: size >= filters.min_followers,
      max_followers: size <= filters.max_followers,
    };
    return names.every((name) => byName[name]);
  };
  return { record, matches };
});

/** Every subset of the seven filters. */
const combinations = Array.from({ length: 2 ** filterNames.length }, (_, mask) => {
  const names = filterNames.filter((_name, bit) => (mask & (1 << bit)) !== 0);
  return { title: names.join(' + ') || 'no filter', names };
});

describe('a search finds what matches all its filters, for 1 credit and 1 for each filter', () => {
  it.each(combinations)('$title', async ({ names }) => {
    const params = Object.fromEntries(names.map((name) => [name, filters[name]]));
    const { status, body } = await api.search({ ...params, limit: 100 }, await pool.key());
    expect([status, body.credits_used]).toEqual([200, 1 + names.length]);
    const found = body.creators.map(({ slug }) => slug).sort();
    const expected = masks.flatMap(({ record, matches }) => (matches(names) ? [record.slug] : [])).sort();
    if (names.some((name) => isolating.includes(name))) expect(found).toEqual(expected);
    // Other suites have creators too.
    else expect(body.total).toBeGreaterThanOrEqual(expected.length);
  });
});
