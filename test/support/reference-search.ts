import { type CreatorRecord } from './admin-api.js';
import { type SearchParams } from './public-api.js';

/** Letters that Unicode does not take apart, and how they are compared. */
const plainLetters = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ς', 'σ'],
]);

/** The form in which texts are compared, written again from the rules so that a slip in the services shows. */
export function plain(text: string): string {
  const letters = [...text.normalize('NFKD')].filter((letter) => !/^\p{M}$/u.test(letter));
  const oneCase = letters.join('').toLowerCase().toUpperCase().toLowerCase();
  const replaced = [...oneCase].map((letter) => plainLetters.get(letter) ?? letter).join('');
  return replaced
    .split(/\s/u)
    .filter((word) => word !== '')
    .join(' ');
}

/** The creators that a search has to find, in the order in which it has to show them. */
export function expectedMatches(catalog: readonly CreatorRecord[], params: SearchParams): CreatorRecord[] {
  return catalog.filter((creator) => matches(creator, params)).sort(newestFirst);
}

export function totalReach({ platforms }: CreatorRecord): number {
  return platforms.reduce((sum, { followers }) => sum + followers, 0);
}

function matches(creator: CreatorRecord, params: SearchParams): boolean {
  const { q, country, category, language } = params;
  if (creator.published === false) return false;
  if (q !== undefined && !matchesKeyword(creator, q)) return false;
  if (country !== undefined && plain(creator.country) !== plain(country)) return false;
  if (category !== undefined && !creator.categories.includes(categorySlug(category))) return false;
  if (language !== undefined && !creator.languages.some((own) => plain(own) === plain(language))) {
    return false;
  }
  return matchesSize(creator, params);
}

function matchesKeyword(creator: CreatorRecord, q: string): boolean {
  const name = plain(creator.name);
  const handles = creator.platforms.map(({ handle }) => plain(handle));
  const words = plain(q)
    .split(' ')
    .map((word) => (word.startsWith('@') ? word.slice(1) : word));
  return words.every((word) => name.includes(word) || handles.some((handle) => handle.includes(word)));
}

function matchesSize(creator: CreatorRecord, params: SearchParams): boolean {
  const account = creator.platforms.find(({ platform }) => platform === params.platform);
  if (params.platform !== undefined && account === undefined) return false;
  const size = account?.followers ?? totalReach(creator);
  if (params.min_followers !== undefined && size < Number(params.min_followers)) return false;
  return params.max_followers === undefined || size <= Number(params.max_followers);
}

/** `Food & Drink` names the same niche as `food-drink`. */
function categorySlug(nameOrSlug: string): string {
  return plain(nameOrSlug)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join('-');
}

function newestFirst(one: CreatorRecord, other: CreatorRecord): number {
  const difference = newest(other) - newest(one);
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  return Buffer.compare(Buffer.from(one.slug), Buffer.from(other.slug));
}

/** Creators without platforms come last. */
function newest({ platforms }: CreatorRecord): number {
  return Math.max(...platforms.map(({ updated_at: at }) => Date.parse(at)));
}
