import { type CreatorRecord, type SearchRequest } from '@app/contracts';

/**
 * How people read the characters of our fixtures, written by hand: the service derives it from Unicode by a rule that may be wrong.
 * Every other character stands for itself, in lower case.
 */
const readAs: Readonly<Record<string, string>> = {
  ...{
    ë: 'e',
    é: 'e',
    ó: 'o',
    ź: 'z',
    ł: 'l',
    æ: 'ae',
    ø: 'o',
    þ: 'th',
    ß: 'ss',
    İ: 'i',
    ı: 'i',
    ü: 'u',
    ô: 'o',
    ç: 'c',
  },
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

function niche(text: string): string {
  const parts = plain(text).match(/[\p{L}\p{M}\p{N}]+/gu);
  return parts ? parts.join('-') : plain(text);
}

function hasWord(creator: CreatorRecord, word: string): boolean {
  if (plain(creator.name).includes(word)) return true;
  return creator.platforms.some(({ handle }) => plain(handle.replace(/^@+/, '')).includes(word));
}

function followersOf(creator: CreatorRecord, platform: string | undefined): number | undefined {
  if (platform !== undefined) {
    return creator.platforms.find((account) => account.platform === platform)?.followers;
  }
  let sum = 0;
  for (const { followers } of creator.platforms) sum += followers;
  return sum;
}

function matches(creator: CreatorRecord, search: SearchRequest): boolean {
  if (creator.published === false) return false;
  if (search.q !== undefined) {
    for (const written of plain(search.q).split(' ')) {
      // An `@` that only marks a handle is not searched for.
      if (/^@*$/.test(written)) continue;
      const word = written.startsWith('@') ? written.slice(1) : written;
      if (!hasWord(creator, word)) return false;
    }
  }
  const { country, category, language } = search;
  if (country !== undefined && plain(creator.country) !== plain(country)) return false;
  if (category !== undefined && !creator.categories.some((own) => niche(own) === niche(category))) {
    return false;
  }
  if (language !== undefined && !creator.languages.some((own) => plain(own) === plain(language))) {
    return false;
  }
  const followers = followersOf(creator, search.platform);
  if (followers === undefined) return false;
  return followers >= (search.min_followers ?? 0) && followers <= (search.max_followers ?? Infinity);
}

function newest({ platforms }: CreatorRecord): number {
  return Math.max(-Infinity, ...platforms.map(({ updated_at }) => Date.parse(updated_at)));
}

/** All creators that match, in the order of a search. */
export function bruteForce(catalog: readonly CreatorRecord[], search: SearchRequest): CreatorRecord[] {
  return catalog
    .filter((creator) => matches(creator, search))
    .sort((one, other) => {
      const [first, second] = [newest(one), newest(other)];
      if (first !== second) return first > second ? -1 : 1;
      return Buffer.compare(Buffer.from(one.slug), Buffer.from(other.slug));
    });
}
