import {
  type BalanceBody,
  type CallsBody,
  type FilterName,
  type FiltersBody,
  type LookupEntry,
  type ProfileBody,
  type ProfilesBody,
  type SearchBody,
  type UsageBody,
} from './api.js';
import { type Credits } from './answers/answer.js';
import { type Page } from './paging.js';

/**
 * Results have the fields of the API under the API's names, in snake_case; what the client adds to them is in camelCase.
 */
export interface Result {
  /** Identifies the call in the service's logs and in `call(requestId)`. */
  readonly requestId: string;
}

export interface ChargedResult extends Result {
  readonly credits: Credits;
}

/** One page of a search. */
export interface SearchResult extends SearchBody, ChargedResult, Page {
  readonly unchanged: false;
  /** Pass it as `ifNoneMatch` the next time. */
  readonly etag: string | null;
  /** Filters whose value no creator has, so that none matches: `filters()` lists the values. Usually empty. */
  readonly unknownFilters: readonly FilterName[];
  /** For some of these filters, the existing value that is nearest to the one that you sent. */
  readonly closestValues: Readonly<Partial<Record<FilterName, string>>>;
}

/** A page of a search that still is as it was when it had this ETag; the page after it may have changed. */
export interface UnchangedSearch extends ChargedResult, Page {
  readonly unchanged: true;
  readonly etag: string | null;
}

/** A creator's profile. */
export interface CreatorResult extends ProfileBody, ChargedResult {
  readonly unchanged: false;
  /** Pass it as `ifNoneMatch` the next time. */
  readonly etag: string | null;
}

/** The profiles of up to 100 creators, in the order asked. */
export interface CreatorsResult extends ProfilesBody, ChargedResult, Page {}

/** A profile that still is as it was when it had this ETag. */
export interface UnchangedCreator extends ChargedResult {
  readonly unchanged: true;
  readonly etag: string | null;
}

export interface BalanceResult extends BalanceBody, Result {}

export interface UsageResult extends UsageBody, Result {}

/** One page of calls. */
export interface CallsResult extends CallsBody, Result, Page {}

export interface FiltersResult extends FiltersBody, Result {}

export interface LookupResult extends LookupEntry, Result {}
