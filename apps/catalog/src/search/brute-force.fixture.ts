import { type SearchRequest } from '#contracts';
import { type NamedRecord } from '../creators/creator-records.fixture.js';
import { lookUpNaively } from './compared-engines.fixture.js';
import { linkedAccounts } from './random-catalog.fixture.js';

/**
 * How people read the characters of our fixtures, written by hand: the service derives it from Unicode by a rule that may be wrong.
 * Every other character stands for itself, in lower case.
 */
const readAs: Readonly<Record<string, string>> = {
  ...{ ë: 'e', é: 'e', ó: 'o', ź: 'z', ł: 'l', æ: 'ae', ø: 'o', þ: 'th', ß: 'ss' },
  ...{ İ: 'i', ı: 'i', ü: 'u', ô: 'o', ç: 'c' },
  ...{ '\u0301': '', '\u0307': '', ί: 'ι', ύ: 'υ', ά: 'α', ς: 'σ', ё: 'е', '\u064e': '', '\u0652': '' },
  ...{ 𝓜: 'm', 𝓲: 'i', 𝓻: 'r', 𝓪: 'a', ｍ: 'm', ｉ: 'i', ｒ: 'r', ａ: 'a', ﬁ: 'fi', '№': 'no', '½': '1⁄2' },
  ...{ '\u200d': '', '’': "'", '\u2011': '-', ی: 'ي', ى: 'ي', ة: 'ه' },
};

/** A string in the form in which it is compared, written from the documented rules and sharing no code with the service. */
export function plain(text: string): string {
  const letters = Array.from(
    text.normalize('NFC'),
    (letter) => readAs[letter] ?? readAs[letter.toLowerCase()] ?? letter.toLowerCase(),
  );
  return letters.join('').split(/\s+/u).filter(Boolean).join(' ');
}

/** Other names of values in the random catalogs. */
const names: Readonly<Record<string, string>> = {
  tr: 'turkiye',
  tur: 'turkiye',
  turkey: 'turkiye',
  'ivory coast': "cote d'ivoire",
  ci: "cote d'ivoire",
  en: 'english',
  'en-us': 'english',
};

function named(text: string): string {
  return names[plain(text)] ?? plain(text);
}

function niche(text: string): string {
  const parts = plain(text)
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.filter((part) => part !== 'and');
  return (parts ? parts.join('-') : plain(text)).normalize('NFC');
}

function hasWord(creator: NamedRecord, word: string): boolean {
  if (plain(creator.name).includes(word)) return true;
  return creator.platforms.some(({ handle }) => plain(handle.replace(/^@+/, '')).includes(word));
}

function followersOf(creator: NamedRecord, platform: string | undefined): number | undefined {
  if (platform !== undefined) {
    return creator.platforms.find((account) => account.platform === platform)?.followers;
  }
  let sum = 0;
  for (const { followers } of creator.platforms) sum += followers;
  return sum;
}

/** Whether the creator has every word of the keyword; a link is one of those in the random searches. */
function hasWords(creator: NamedRecord, q: string, catalog: readonly NamedRecord[]): boolean {
  for (const written of q.split(/\s+/u)) {
    // A mark of a handle, quotes and commas are not searched for.
    const text = written.replace(/^[@"',]+/, '').replace(/["',]+$/, '');
    const account = linkedAccounts[text];
    if (account && lookUpNaively(catalog, account) !== creator.slug) return false;
    if (
      !account &&
      !plain(text)
        .split(' ')
        .every((word) => hasWord(creator, word))
    ) {
      return false;
    }
  }
  return true;
}

function matches(creator: NamedRecord, search: SearchRequest, catalog: readonly NamedRecord[]): boolean {
  if (creator.published === false || creator.platforms.length === 0) return false;
  if (search.q !== undefined && !hasWords(creator, search.q, catalog)) return false;
  const { country, category, language } = search;
  if (country !== undefined && named(creator.country) !== named(country)) return false;
  if (category !== undefined && !creator.categories.some((own) => niche(own) === niche(category))) {
    return false;
  }
  if (language !== undefined && !creator.languages.some((own) => named(own) === named(language))) {
    return false;
  }
  const followers = followersOf(creator, search.platform);
  if (followers === undefined) return false;
  return followers >= (search.min_followers ?? 0) && followers <= (search.max_followers ?? Infinity);
}

function newest({ platforms }: NamedRecord): number {
  return Math.max(-Infinity, ...platforms.map(({ updated_at }) => Date.parse(updated_at)));
}

function sortedBy(creator: NamedRecord, { sort = 'recent', platform }: SearchRequest): number {
  if (sort === 'recent') return newest(creator);
  return followersOf(creator, sort === 'reach' ? undefined : platform) ?? NaN;
}

/** All creators that match, in the order of a search. */
export function bruteForce(catalog: readonly NamedRecord[], search: SearchRequest): NamedRecord[] {
  return catalog
    .filter((creator) => matches(creator, search, catalog))
    .sort((one, other) => {
      const [first, second] = [one, other].map((creator) => sortedBy(creator, search)) as [number, number];
      if (first !== second) return first > second ? -1 : 1;
      return Buffer.compare(Buffer.from(one.slug), Buffer.from(other.slug));
    });
}
