import { message, type WithBytes } from '../message.js';
import { type Platform } from './creators.js';

/** The parameters of a search that are filters, and hence cost a credit each (spec 4.1, rule 2); `limit` is none. */
export const searchFilters = [
  'q',
  'country',
  'category',
  'language',
  'platform',
  'min_followers',
  'max_followers',
] as const;

/** Validated search parameters; texts are trimmed but not folded: the catalog folds them. */
export interface SearchRequest {
  readonly q?: string;
  readonly country?: string;
  readonly category?: string;
  readonly language?: string;
  readonly platform?: Platform;
  readonly min_followers?: number;
  readonly max_followers?: number;
  /** 1 to 100. */
  readonly limit: number;
}

export interface SearchSummary {
  /** Creators that match, exact. */
  readonly total: number;
  /** Creators in `bytes`: the smaller of `total` and `limit`. */
  readonly returned: number;
}

/** `bytes` is a JSON array of the entries of spec 2.1, newest data first; the gateway splices it as it is. */
export const searchCreators = message<SearchRequest, WithBytes<SearchSummary>>('catalog', 'search');
