import { message, type WithBytes } from '../message.js';
import {
  ChoiceField,
  IntegerField,
  OptionalField,
  PatternField,
  TextField,
  TimeField,
} from '../validation/fields.js';
import { type Platform, platforms } from './platforms.js';
import { slugLengthMax, slugPattern } from './slug.js';

const textLengthMax = 100;
const followersRange = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** The search parameters that are filters, and so cost a credit each (spec 4.1, rule 2); `limit` is not a filter. */
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

/** The filters whose values come from the creators themselves, so that a value may not exist. */
export const namedFilters = ['country', 'category', 'language'] as const satisfies readonly SearchFilter[];
export type NamedFilter = (typeof namedFilters)[number];

/** Validated search parameters; strings are trimmed but not folded: the catalog folds them. */
export class SearchRequest {
  @OptionalField()
  @TextField(textLengthMax)
  readonly q?: string;

  @OptionalField()
  @TextField(textLengthMax)
  readonly country?: string;

  @OptionalField()
  @TextField(textLengthMax)
  readonly category?: string;

  @OptionalField()
  @TextField(textLengthMax)
  readonly language?: string;

  @OptionalField()
  @ChoiceField(platforms)
  readonly platform?: Platform;

  @OptionalField()
  @IntegerField(followersRange)
  readonly min_followers?: number;

  @OptionalField()
  @IntegerField(followersRange)
  readonly max_followers?: number;

  /** 1 to 100. */
  @IntegerField({ min: 1, max: 100 })
  readonly limit: number;

  /** The page begins after this creator, who may have been deleted since. */
  @OptionalField()
  @PatternField(slugPattern, slugLengthMax, 'a slug')
  readonly after_slug?: string;

  /** The newest `updated_at` of `after_slug`; absent for a creator without platforms. */
  @OptionalField()
  @TimeField()
  readonly after_updated_at?: string;
}

/** Where the next page begins: after this creator. */
export interface NextPage {
  readonly slug: string;
  /** The creator's newest `updated_at`, ISO 8601 UTC; `null` without platforms. */
  readonly updated_at: string | null;
}

export interface SearchSummary {
  /** Creators that match, exact. */
  readonly total: number;
  /** Creators in `bytes`, `limit` at most. */
  readonly returned: number;
  /** `null` on the last page. */
  readonly next: NextPage | null;
  /** Filters whose value no published creator has; absent when every value exists. */
  readonly unknown_filters?: readonly NamedFilter[];
}

/** `bytes` is a JSON array of the entries of spec 2.1, newest data first; the gateway inserts it unchanged. */
export const searchCreators = message<SearchRequest, WithBytes<SearchSummary>>(
  'catalog',
  'search',
  SearchRequest,
);
