import fc from 'fast-check';
import { platforms } from '#contracts';
import { numbersFrom } from '#testing';
import { type SearchCriteria, type SearchDocument, type SearchPosition } from './search-document.js';
import { hashText } from '../segments/slug-table.js';
import { writeRecord } from './search-entry.js';

const countries = ['common', 'second', 'third', 'rare', 'rarer', 'rarest'] as const;
const categories = ['food-drink', 'music', 'art', 'музыка', 'd', 'e', 'f', 'g'] as const;
const languages = ['english', 'francais', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
/** Spellings of a value: most records have the first one. */
const spellings = ['', "'", '*'] as const;
/** Few, so that several creators have the same account. */
const keysMax = 400;

const times = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 1_710_000_000_000, -62_135_596_800_000];

/**
 * With two letters, words share all their grams and still differ; the third alphabet has one to four bytes in UTF-8, the
 * fourth one separates words as handles do.
 */
const alphabets = ['ab', 'abcdefgh', 'aбж한桜さ😀𝓜é', 'abc.1_'];

function wordsOf(seed: number): string[] {
  const next = numbersFrom(seed);
  return Array.from({ length: 240 }, (_, index) => {
    const letters = [...(alphabets[index % alphabets.length] ?? '')];
    const length = 1 + next(index % alphabets.length === 2 ? 6 : 13);
    return Array.from({ length }, () => letters[next(letters.length)] ?? '').join('');
  });
}

const vocabulary = wordsOf(1);

/** Documents with values from very common to very rare, so that a segment has lists and bitmaps of each kind. */
export function randomDocuments(count: number, seed: number): SearchDocument[] {
  return Array.from({ length: count }, (_, index) => randomDocument(slugOf(index), seed * 65_536 + index));
}

/** Slugs whose byte order differs from the order of their numbers. */
export function slugOf(index: number): string {
  return `${['z', 'a-b', 'ab', '9'][index % 4]}-${index.toString(36)}`;
}

export function randomDocument(slug: string, seed: number): SearchDocument {
  const next = numbersFrom(seed);
  /** The first items are chosen most often. */
  const among = <Item extends string>(items: readonly Item[]): Item | '' =>
    items[Math.floor(items.length * (next(1_000) / 1_000) ** 5)] ?? '';
  const several = <Item extends string>(items: readonly Item[], most: number): string[] => [
    ...new Set(Array.from({ length: next(most + 1) }, () => among(items))),
  ];
  const phrase = (most: number): string =>
    Array.from({ length: 1 + next(most) }, () => among(vocabulary)).join(' ');
  const accounts = platforms
    .filter((_, column) => next(100) < 80 >> column)
    .map((platform) => ({ platform, handle: phrase(1), url: 'https://u.example', followers: count(next) }));
  const reach = accounts.reduce((sum, { followers }) => sum + followers, 0);
  const name = phrase(4);
  const country = among(countries);
  const ownLanguages = several(languages, 2);
  const spelled = (value: string): string => value + among(spellings);
  return {
    slug,
    record: writeRecord({ slug, name: `${name} ${seed}`, country: 'Any', reach, accounts }),
    text: [name, ...accounts.map(({ handle }) => handle)].join('\n'),
    updatedAt: accounts.length === 0 ? -Infinity : (times[next(times.length)] ?? 0),
    country,
    countryName: spelled(country),
    categories: several(categories, 3),
    languages: ownLanguages,
    languageNames: ownLanguages.map(spelled),
    accountKeys: accounts.map(keyOf),
    followers: [
      reach,
      ...platforms.map((name) => accounts.find(({ platform }) => platform === name)?.followers ?? null),
    ],
  };
}

/** The key of an account; several handles have the same one. */
export function keyOf({ platform, handle }: { readonly platform: string; readonly handle: string }): string {
  return `${platform} ${hashText(handle) % keysMax}`;
}

function count(next: (below: number) => number): number {
  const kind = next(10);
  if (kind === 0) return next(3);
  return kind === 1 ? 2 ** 50 + next(3) : next(10_000);
}

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...vocabulary), fc.nat(12), fc.nat(12)).map(cut) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 }) },
);

function cut([word, from, length]: [string, number, number]): string {
  const letters = [...word];
  const start = from % letters.length;
  return letters.slice(start, start + 1 + (length % (letters.length - start))).join('');
}

const bound = fc.oneof(fc.nat(4), fc.nat(12_000), fc.constantFrom(2 ** 50, 2 ** 50 + 1, 2 ** 53 - 1));

/** Used in a quarter of the searches: with more filters at once almost nothing is found. */
function atTimes<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** Positions of existing documents, of missing ones, and next to them; in the order that the search has. */
const place = fc.tuple(fc.nat(5_000), fc.nat(), fc.nat(3));

function placeIn(
  [index, seed, kind]: [number, number, number],
  criteria: Partial<SearchCriteria>,
): SearchPosition {
  const document = randomDocument(slugOf(index), seed);
  const { slug } = document;
  return { value: valueIn(document, criteria), slug: [slug, `${slug}0`, 'zzz', '0'][kind] ?? slug };
}

/** Every combination of filters, also with values that no document has. */
export const criteriaArbitrary: fc.Arbitrary<SearchCriteria> = fc
  .record({
    words: fc.oneof(fc.constant([]), fc.uniqueArray(piece, { minLength: 1, maxLength: 3 })),
    slug: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.nat(300).map(slugOf) },
    ),
    country: atTimes(fc.constantFrom(...countries, 'nowhere')),
    category: atTimes(fc.constantFrom(...categories, 'none')),
    language: atTimes(fc.constantFrom(...languages, 'none')),
    platform: atTimes(fc.constantFrom(...platforms)),
    minFollowers: atTimes(bound),
    maxFollowers: atTimes(bound),
    sort: fc.constantFrom(undefined, 'reach' as const, 'followers' as const),
    after: atTimes(place),
    limit: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(1)),
  })
  .map(({ words, limit, after, ...filters }) => {
    const used = Object.entries(filters).filter(([, value]) => value !== undefined);
    const criteria: SearchCriteria = { words, limit, ...Object.fromEntries(used) };
    return after === undefined ? criteria : { ...criteria, after: placeIn(after, criteria) };
  });

/** The page of a search, found by reading all documents. */
export function pageNaively(documents: Iterable<SearchDocument>, criteria: SearchCriteria) {
  const { after, limit } = criteria;
  const at = (document: SearchDocument) => ({ slug: document.slug, value: valueIn(document, criteria) });
  const found = searchNaively(documents, criteria);
  const rest = after === undefined ? found : found.filter((document) => inOrder(after, at(document)) < 0);
  const page = rest.slice(0, limit);
  const last = rest.length > limit ? page.at(-1) : undefined;
  return {
    total: found.length,
    /** One more than the page, if there is one. */
    first: rest.slice(0, limit + 1),
    page,
    next: last ? at(last) : null,
  };
}

/** The matching documents, in the order of a search: the documented rules, sharing no code with the index. */
export function searchNaively(
  documents: Iterable<SearchDocument>,
  criteria: SearchCriteria,
): SearchDocument[] {
  return [...documents]
    .filter((document) => isFound(document, criteria))
    .map((document) => ({ document, slug: document.slug, value: valueIn(document, criteria) }))
    .sort(inOrder)
    .map(({ document }) => document);
}

function valueIn(
  { updatedAt, followers }: SearchDocument,
  { sort, platform }: Partial<SearchCriteria>,
): number {
  if (sort === undefined) return updatedAt;
  const column = sort === 'reach' || platform === undefined ? 0 : 1 + platforms.indexOf(platform);
  return followers[column] ?? 0;
}

function isFound(document: SearchDocument, criteria: SearchCriteria): boolean {
  for (const word of criteria.words) {
    if (!document.text.includes(word)) return false;
  }
  if (criteria.slug !== undefined && criteria.slug !== document.slug) return false;
  if (criteria.country !== undefined && criteria.country !== document.country) return false;
  if (criteria.category !== undefined && !document.categories.includes(criteria.category)) return false;
  if (criteria.language !== undefined && !document.languages.includes(criteria.language)) return false;
  const column = criteria.platform === undefined ? 0 : 1 + platforms.indexOf(criteria.platform);
  const followers = document.followers[column] ?? null;
  if (followers === null) return false;
  if (criteria.minFollowers !== undefined && followers < criteria.minFollowers) return false;
  return criteria.maxFollowers === undefined || followers <= criteria.maxFollowers;
}

function inOrder(one: SearchPosition, other: SearchPosition): number {
  if (one.value > other.value) return -1;
  if (one.value < other.value) return 1;
  // Slugs are ASCII: this is their byte order.
  if (one.slug === other.slug) return 0;
  return one.slug < other.slug ? -1 : 1;
}
