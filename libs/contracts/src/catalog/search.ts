import { toCatalog, type WithBytes } from '../message.js';
import { isSearchable } from '../text/fold.js';
import { type Platform, platforms } from './profiles.js';
import { Slug } from './creators.js';
import { RequestOfKey } from './test-creators.js';
import { Choice, Integer, Text, Time } from '../shape/fields.js';
import { Both } from '../shape/shape.js';

/** The search parameters that are filters: each costs a credit. `limit` is not a filter. */
export const searchFilters = [
  'q',
  'country',
  'category',
  'language',
  'platform',
  'min_followers',
  'max_followers',
] as const;
export type SearchFilter = (typeof searchFilters)[number];

/** Filters that take their values from the creators, so a value may not exist. */
export const namedFilters = ['country', 'category', 'language'] as const satisfies readonly SearchFilter[];
export type NamedFilter = (typeof namedFilters)[number];

/**
 * The orders of a search: most recent data first, or largest first by the total reach or by the followers on `platform`; then by the
 * bytes of the slug.
 */
export const searchSorts = ['recent', 'reach', 'followers'] as const;
export type SearchSort = (typeof searchSorts)[number];

/** An existing value for some of the filters. */
export type ClosestValues = Readonly<Partial<Record<NamedFilter, string>>>;

const anyFollowers = 'followers: on `platform` if given, otherwise in total.';

/** The filters of a search. Texts are trimmed but not folded: the catalog folds them. */
export class SearchFilters {
  @Text({
    max: 100,
    optional: true,
    description:
      "Every word must occur in the creator's name or in one of the handles. Case, accents, a leading `@` and quotes and commas around a word don't matter. A word that is a link to a profile finds the creator who has the account.",
    also: ['a letter, digit or other searchable character', isSearchable],
  })
  readonly q?: string;

  @Text({
    max: 100,
    optional: true,
    description: 'Country, by a usual English name or its ISO code: `United Kingdom` and `GB` are the same.',
  })
  readonly country?: string;

  @Text({
    max: 100,
    optional: true,
    description: 'Niche, by name or slug: `Food & Drink`, `food and drink` and `food-drink` are the same.',
  })
  readonly category?: string;

  @Text({
    max: 100,
    optional: true,
    description: 'Content language, by a usual English name or its ISO code: `French` and `fr` are the same.',
  })
  readonly language?: string;

  @Choice(platforms, {
    optional: true,
    description: 'Creators with an account there. All of their accounts are shown.',
  })
  readonly platform?: Platform;

  @Integer({ max: Number.MAX_SAFE_INTEGER, optional: true, description: `Minimum number of ${anyFollowers}` })
  readonly min_followers?: number;

  @Integer({ max: Number.MAX_SAFE_INTEGER, optional: true, description: `Maximum number of ${anyFollowers}` })
  readonly max_followers?: number;
}

/** One page of a search. */
export class SearchRequest extends Both(SearchFilters, RequestOfKey) {
  @Integer({ min: 1, max: 100 })
  readonly limit: number;

  /** Default: `recent`. `followers` needs `platform`. */
  @Choice(searchSorts, { optional: true })
  readonly sort?: SearchSort;

  /** The page begins after this creator, who may have been deleted since. */
  @Slug({ optional: true })
  readonly after_slug?: string;

  /** The newest `updated_at` of `after_slug`; absent for a creator without platforms. */
  @Time({ optional: true })
  readonly after_updated_at?: string;

  /** The reach or the followers of `after_slug`, by which the search is sorted; absent in a search by `recent`. */
  @Integer({ optional: true })
  readonly after_followers?: number;
}

/** Where the next page begins: after this creator. */
export interface NextPage {
  readonly slug: string;
  /** The creator's newest `updated_at`, ISO 8601 UTC; `null` without platforms. */
  readonly updated_at: string | null;
  /** The reach or the followers by which the search is sorted; then `updated_at` is `null`. */
  readonly followers?: number;
}

export interface SearchSummary {
  /** Creators that match, exact. */
  readonly total: number;
  /** Creators in `bytes`, `limit` at most. */
  readonly returned: number;
  /** `null` on the last page. */
  readonly next: NextPage | null;
  /** Filters with a value that no published creator has; absent when every value exists. */
  readonly unknown_filters?: readonly NamedFilter[];
  /** For some of these filters, the existing value that is nearest to the one of the search. */
  readonly closest_values?: ClosestValues;
}

/** `bytes` is a JSON array of `Creator`, in the order of the search; the gateway inserts it unchanged. */
export const searchCreators = toCatalog<WithBytes<SearchSummary>>()('search', SearchRequest);
