import { type FiltersReply, type NamedFilter, type SearchSummary } from '@app/contracts';
import { type SearchCriteria } from '@app/creator-index';
import { type AccountKey } from '../../lookup/links/account-key.js';

export interface SearchPage extends Omit<SearchSummary, 'unknown_filters'> {
  /** A JSON array of the entries of spec 2.1, ready to be sent. */
  readonly creators: Buffer;
}

/**
 * Finds published creators: `total` is exact and of the same instant as the page; newest `updated_at` first, then by
 * slug in byte order, creators without platforms last (design 5).
 */
export abstract class SearchEngine {
  abstract search(criteria: SearchCriteria): Promise<SearchPage>;

  /** The filters of a search whose value no published creator has, whatever the other filters are. */
  abstract unknownFilters(criteria: SearchCriteria): Promise<NamedFilter[]>;

  /**
   * For each sought account the slug of the creator that has it, by the first of its keys that anybody has; of several
   * creators with a key, the first one in the order of a search; `null` without one.
   */
  abstract lookUp(sought: readonly (readonly AccountKey[])[]): Promise<(string | null)[]>;

  /** The values of the filters with which a search finds somebody, and how many. */
  abstract filters(): Promise<FiltersReply>;
}
