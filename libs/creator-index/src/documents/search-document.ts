import { type Platform, platforms } from '#contracts/threads';

/** The indexed data of a published creator. */
export interface SearchDocument {
  readonly slug: string;
  /** The creator's entry in a search result, in the short form of `search-entry.ts`. */
  readonly record: string;
  /** Folded name and folded handles, one per line. */
  readonly text: string;
  /** Newest `updated_at` in ms since 1970; `-Infinity` without platforms. */
  readonly updatedAt: number;
  readonly country: string;
  /** Country as the record spells it. */
  readonly countryName: string;
  readonly categories: readonly string[];
  readonly languages: readonly string[];
  /** Languages as the record spells them, in the order of `languages`. */
  readonly languageNames: readonly string[];
  /** By the columns of `columnOf`; `null` without an account there. */
  readonly followers: readonly (number | null)[];
  /** The keys by which its platform accounts are looked up. */
  readonly accountKeys: readonly string[];
}

/** A position in the order of a search: that of a document present or past. */
export interface SearchPosition {
  readonly slug: string;
  /** What the search is sorted by: `updatedAt`, or the number of followers. */
  readonly value: number;
}

/** The columns by which followers are searched: the total reach, then each platform. */
export const columnCount = 1 + platforms.length;

export function columnOf(platform: string | undefined): number {
  return platform === undefined ? 0 : 1 + platforms.findIndex((name) => name === platform);
}

/** By what a search is sorted, largest first: a column of followers, or `null` for `updatedAt`. */
export type SortColumn = number | null;

export function sortColumnOf({ sort, platform }: Pick<SearchCriteria, 'sort' | 'platform'>): SortColumn {
  if (sort === undefined) return null;
  return sort === 'reach' ? columnOf(undefined) : columnOf(platform);
}

/** A document that a search by this column finds has a number in it. */
export function positionOf(
  { slug, updatedAt, followers }: SearchDocument,
  column: SortColumn,
): SearchPosition {
  return { slug, value: column === null ? updatedAt : (followers[column] ?? 0) };
}

/** The order of a search: the largest value first, then by the bytes of the slug. Without platforms `updatedAt` is the least. */
export function comparePositions(one: SearchPosition, other: SearchPosition): number {
  if (one.value !== other.value) return one.value > other.value ? -1 : 1;
  return one.slug < other.slug ? -1 : one.slug > other.slug ? 1 : 0;
}

export function sortDocuments(documents: readonly SearchDocument[], column: SortColumn): SearchDocument[] {
  return documents
    .map((document) => ({ document, ...positionOf(document, column) }))
    .sort(comparePositions)
    .map(({ document }) => document);
}

/** A change of one creator: its document now, or none when deleted or hidden. */
export interface Change {
  readonly slug: string;
  readonly document: SearchDocument | null;
}

/** A search in folded form: every word and value is folded already. */
export interface SearchCriteria {
  /** Every word must occur in the folded name or in one folded handle. */
  readonly words: readonly string[];
  /** Only this creator. */
  readonly slug?: string;
  readonly country?: string;
  readonly category?: string;
  readonly language?: string;
  /** Creators with an account there; the bounds then mean its followers instead of the total reach. */
  readonly platform?: Platform;
  /** Inclusive, as `maxFollowers`. */
  readonly minFollowers?: number;
  readonly maxFollowers?: number;
  /** Largest first, by the total reach or by the followers on `platform`; absent: newest first. */
  readonly sort?: 'reach' | 'followers';
  /** The page begins after this position; the total counts all matches. */
  readonly after?: SearchPosition;
  readonly limit: number;
}

/** The state of the catalog that an index shows. */
export interface IndexedState {
  /** New when the catalog's database is created or restored. */
  readonly catalogId: string;
  /** Every change up to this one is in the index. */
  readonly revision: number;
}
