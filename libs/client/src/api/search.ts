import { type Charge } from './charge.js';
import { type Creator, type PlatformName } from './creators.js';

/** What a search asks for: creators that match all of it. Each filter that is given costs 1 credit. */
export interface SearchFilters {
  /** Every word must occur in the creator's name or in one of its handles; up to 100 characters. */
  readonly q?: string | undefined;
  /** The name of one country, for example `France`. */
  readonly country?: string | undefined;
  /** A niche by name or slug: `Food & Drink` and `food-drink` are the same. */
  readonly category?: string | undefined;
  /** A content language, for example `French`. */
  readonly language?: string | undefined;
  /** Creators with an account there; their other platforms are listed too. */
  readonly platform?: PlatformName | undefined;
  /** Followers on `platform` when it is given, else the total reach. */
  readonly min_followers?: number | undefined;
  /** Followers on `platform` when it is given, else the total reach. */
  readonly max_followers?: number | undefined;
}

/** What counts as a filter, and costs a credit. */
export type FilterName = keyof SearchFilters;

/** One page of a search. */
export interface SearchParameters extends SearchFilters {
  /** Creators in the answer, 1 to 100. Not a filter. Default: 50. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, with the same filters. Not a filter. */
  readonly cursor?: string | undefined;
}

/** The answer to `GET /search`. */
export interface SearchBody extends Charge {
  /** Creators that match, exactly. */
  readonly total: number;
  /** Creators in this answer. */
  readonly returned: number;
  readonly creators: readonly Creator[];
}
