import { type SearchParameters } from '@app/client';
import { KeyPool } from '../support/key-pool.js';
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

beforeAll(() => catalog.importVisible(records, pool));
afterAll(() => catalog.remove());

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
    ['agnes nobody', 'one word of two does not match'],
    ['quietriver', 'a handle is not the same without its underscore'],
    ['a%b', 'a percent sign is no wildcard'],
    ['a.b', 'a dot is no wildcard'],
  ])('%s finds no one: %s', async (q) => {
    expect(await found({ q })).toEqual([]);
  });

  it('% and _ find only creators whose names have them', async () => {
    expect(await found({ q: '%' })).toEqual(['odd-signs']);
    expect(await found({ q: '_' })).toEqual(['handle', 'odd-signs']);
    expect(await found({ q: '\\' })).toEqual(['odd-signs']);
  });

  it('a leading @ is dropped, also before a name', async () => {
    expect(await found({ q: '@someone' })).toEqual(['handle']);
  });
});

describe('the filter country', () => {
  it.each([
    ['capitals', country.toUpperCase()],
    ['white space around and within', `  ${country.replace(' ', '   ')} `],
    ['accents', country.replace('e', 'é')],
  ])('is compared without regard to %s', async (_what, written) => {
    expect(await found({ country: written })).toHaveLength(records.length);
  });

  it('is compared as a whole', async () => {
    expect(await found({ country: country.slice(0, -1) })).toEqual([]);
  });
});

describe('the filter category', () => {
  it.each(['food-drink', 'Food & Drink', 'FOOD-DRINK', 'food drink', 'Food-Drínk'])(
    'by slug or name: %s',
    async (category) => {
      expect(await found({ category })).toEqual(['accents']);
    },
  );

  it('is compared as a whole', async () => {
    expect(await found({ category: 'food' })).toEqual([]);
  });
});

describe('the filter language', () => {
  it.each([
    ['Português', 'accents'],
    ['portugues', 'accents'],
    ['ΕΛΛΗΝΙΚΑ', 'greek'],
    ['한국어', 'hangul'],
  ])('%s finds %s', async (language, expected) => {
    expect(await found({ language })).toEqual([expected]);
  });

  it('any of the languages counts, each as a whole', async () => {
    expect(await found({ language: 'english' })).toContain('accents');
    expect(await found({ language: 'Engl' })).toEqual([]);
  });
});

describe('the filter platform', () => {
  it('finds creators with an account there', async () => {
    expect(await found({ platform: 'tiktok' })).toEqual(['large']);
    expect(await found({ platform: 'x' })).toEqual(['handle', 'large']);
    expect(await found({ platform: 'facebook' })).toEqual([]);
  });
});

describe('the filters min_followers and max_followers', () => {
  it('without platform: total reach, both ends included', async () => {
    expect(await found({ min_followers: 10_000 })).toEqual(['large']);
    expect(await found({ min_followers: 10_001 })).toEqual([]);
    expect(await found({ max_followers: 540 })).toEqual(['handle']);
    expect(await found({ max_followers: 539 })).toEqual([]);
    expect(await found({ min_followers: 540, max_followers: 540 })).toEqual(['handle']);
  });

  it("with platform: that platform's followers", async () => {
    expect(await found({ platform: 'x', max_followers: 40 })).toEqual(['handle']);
    expect(await found({ platform: 'x', min_followers: 41 })).toEqual(['large']);
    expect(await found({ platform: 'x', min_followers: 5_001 })).toEqual([]);
  });

  it('0 and the largest number allowed are answered', async () => {
    expect(await found({ min_followers: 0 })).toHaveLength(records.length);
    expect(await found({ min_followers: Number.MAX_SAFE_INTEGER })).toEqual([]);
    expect(await found({ max_followers: Number.MAX_SAFE_INTEGER })).toHaveLength(records.length);
  });
});
