import { ServiceError } from '@app/contracts';
import { type BitmapIndex, type SearchCriteria } from '@app/creator-index';
import { toNextPage } from './next-page.js';
import { SearchEngine, type SearchPage } from './search-engine.js';

/** Searches the index in this process's memory, without PostgreSQL. */
export class BitmapSearchEngine extends SearchEngine {
  /** `index` returns `null` until it has been loaded or built. */
  constructor(private readonly index: () => BitmapIndex | null) {
    super();
  }

  /** Throws `unavailable` while there is no index yet. */
  search(criteria: SearchCriteria): Promise<SearchPage> {
    const index = this.index();
    if (!index) {
      return Promise.reject(
        new ServiceError('unavailable', 'The search index is being built; try again shortly.'),
      );
    }
    const { total, entries, next } = index.search(criteria);
    return Promise.resolve({
      total,
      returned: entries.length,
      next: next && toNextPage(next),
      creators: Buffer.from(`[${entries.join(',')}]`),
    });
  }
}
