import { type SearchSummary } from '@app/contracts';
import { type SearchCriteria } from '@app/creator-index';

export interface SearchPage extends SearchSummary {
  /** A JSON array of the entries of spec 2.1, ready to be sent. */
  readonly creators: Buffer;
}

/**
 * Finds published creators: `total` is exact and of the same instant as the page; newest `updated_at` first, then by
 * slug in byte order, creators without platforms last (design 5).
 */
export abstract class SearchEngine {
  abstract search(criteria: SearchCriteria): Promise<SearchPage>;
}
