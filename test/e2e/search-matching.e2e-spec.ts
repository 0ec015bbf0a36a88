import { type SearchParameters, type SearchResult } from '@app/client';
import * as fc from 'fast-check';
import { type CreatorRecord, daysFromNow } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { randomWord, seed } from '../support/random.js';
import { expectedMatches, plain, totalReach } from '../support/reference-search.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const pool = new KeyPool();
const { country } = catalog;
const catalogSize = 160;
const queries = 350;

const platformNames = ['youtube', 'instagram', 'tiktok', 'facebook', 'x'];
const niches = ['music', 'food-drink', 'art', 'art-design'];
const languages = ['English', 'Français', 'Türkçe', 'العربية', 'Ελληνικά', '日本語'];
/** Words that share pieces, in many scripts, and signs that patterns and quoting trip over. */
// prettier-ignore
const nameWords = [
  'Zoë', 'zoe', 'ZO', 'Łódź', 'lodz', 'Ærø', 'aero', 'Straße', 'STRASSE', 'İpek', 'ipek', 'Ólafur',
  'Θάνος', 'θανος', 'ΣΊΣΥΦΟΣ', 'Ёж', 'еж', 'Київ', 'मीरा', 'मरा', 'سَلْمى', 'سلمى', '하늘', '늘봄', 'さくら',
  'サクラ', '桜', '小桜', '𝓜𝓲𝓻𝓪', 'Mira', 'Ｍｉｒａ', '№5', '½', '100%', '50%_off', 'a_b', 'axb', 'a\\b',
  '\\', "O'Neil", '"quoted"', 'd’or', 'C++', '(x)', '[y]', '.*', '^$', '🎮', '👩🏽‍🍳', 'a', 'ab', 'ba', '@home',
];
const handleWords = ['mira', 'zoe.ab', 'a_b', 'axb', 'lodz_', 'real100', 'ba.ba', 'x', 'quiet-river', '5'];

const accountsArbitrary = fc
  .uniqueArray(fc.constantFrom(...platformNames), { maxLength: 4 })
  .chain((chosen) => fc.tuple(...chosen.map((platform) => accountArbitrary(platform))));

function accountArbitrary(platform: string) {
  return fc.record({
    platform: fc.constant(platform),
    handle: fc.constantFrom(...handleWords).map((word) => `${word}${randomWord(3)}`),
    followers: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 5_000_000_000 })),
    // Few different times, so that the order by slug is needed too.
    updated_at: fc.integer({ min: 1, max: 25 }).map((days) => times[days] ?? ''),
  });
}

const times = Array.from({ length: 26 }, (_, days) => daysFromNow(-days));

const creatorArbitrary = fc.record({
  name: fc
    .array(fc.constantFrom(...nameWords), { minLength: 1, maxLength: 4 })
    .map((words) => words.join(' ')),
  languages: fc.uniqueArray(fc.constantFrom(...languages), { maxLength: 3 }),
  categories: fc.uniqueArray(fc.constantFrom(...niches), { maxLength: 3 }),
  verified: fc.boolean(),
  published: fc.integer({ min: 1, max: 20 }).map((number) => number > 1),
  platforms: accountsArbitrary,
});

const records: CreatorRecord[] = fc
  .sample(creatorArbitrary, { numRuns: catalogSize, seed })
  .map((creator, index) => catalog.record(`${index.toString(36)}`, creator));

/** A part of one of the words, from one character on, at times written in another way that has to match too. */
function pieceOf(words: readonly string[]) {
  return fc
    .tuple(fc.constantFrom(...words), fc.nat(), fc.nat(), fc.nat({ max: 5 }))
    .map(([word, from, length, way]) => {
      const letters = [...word];
      const start = from % letters.length;
      const piece = letters.slice(start, start + 1 + (length % (letters.length - start))).join('');
      const ways = [piece, piece.toUpperCase(), piece.toLowerCase(), `@${piece}`, plain(piece)];
      return ways[way] ?? piece.normalize('NFD');
    });
}

/** Pieces of words that one creator has, or of any. */
const keywordArbitrary = fc
  .constantFrom([...nameWords, ...handleWords], ...records.map(wordsOf))
  .chain((words) => fc.array(pieceOf(words), { minLength: 1, maxLength: 3 }))
  .map((pieces) => pieces.join('  '))
  .filter((q) => plain(q).replace(/[@ ]/g, '') !== '' && !/@@|(^| )@( |$)/.test(plain(q)));

function wordsOf({ name, platforms }: CreatorRecord): string[] {
  return [...name.split(' '), ...platforms.map(({ handle }) => handle)];
}

const sizeArbitrary = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 9_000_000_000 }));

const everyParam = fc.record({
  q: keywordArbitrary,
  category: fc.constantFrom('music', 'Music', 'Food & Drink', 'ART', 'art-design', 'none'),
  language: fc.constantFrom(...languages, 'francais', 'TURKCE', 'ελληνικα', 'Klingon'),
  platform: fc.constantFrom(...platformNames),
  min_followers: sizeArbitrary,
  max_followers: sizeArbitrary,
  limit: fc.integer({ min: 1, max: 100 }),
});

/** Up to four parameters: with more, next to nothing is found. */
const paramsArbitrary = everyParam
  .chain((params) =>
    fc
      .subarray(Object.entries(params), { maxLength: 4 })
      .map((some): SearchParameters => Object.fromEntries(some)),
  )
  .filter(({ min_followers: min = 0, max_followers: max = Infinity }) => Number(min) <= Number(max));

async function compare(params: SearchParameters): Promise<void> {
  const found = await pool.search({ country, ...params });
  const expected = expectedMatches(records, params);
  const shown = expected.slice(0, Number(params.limit ?? 50));
  expect(found.total).toBe(expected.length);
  expect(found.creators.map(({ slug }) => slug)).toEqual(shown.map(({ slug }) => slug));
  expect(found.creators.map(withoutUrls)).toEqual(shown.map(asEntry));
}

function withoutUrls({ slug, name, total_reach: reach, platforms }: Entry) {
  const accounts = platforms.map(({ platform, handle, followers }) => ({ platform, handle, followers }));
  return { slug, name, reach, accounts: accounts.sort(byPlatform) };
}

function asEntry(record: CreatorRecord) {
  const accounts = record.platforms.map(({ platform, handle, followers }) => ({
    platform,
    handle: `@${handle}`,
    followers,
  }));
  return {
    slug: record.slug,
    name: record.name,
    reach: totalReach(record),
    accounts: accounts.sort(byPlatform),
  };
}

type Entry = SearchResult['creators'][number];

const byPlatform = (one: { platform: string }, other: { platform: string }) =>
  platformNames.indexOf(one.platform) - platformNames.indexOf(other.platform);

beforeAll(() => catalog.importVisible(records, pool));
afterAll(() => catalog.remove());

describe('search compared with a brute force over a random catalog', () => {
  it(`finds, counts, orders and shows the same for ${queries} random queries (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(paramsArbitrary, compare), {
      numRuns: queries,
      seed,
      // Shrinking a failure costs searches: it stops after a while with the smallest query so far.
      interruptAfterTimeLimit: 60_000,
      markInterruptAsFailure: true,
    });
  }, 90_000);

  it.each(nameWords)('finds %s as it is written', (q) => compare({ q }), 20_000);
});
