import { ServiceError } from '@app/contracts';
import { type SearchCriteria } from '../search-criteria.js';
import { SearchEngine, type SearchPage } from '../search-engine.js';
import { type BitmapIndex } from './bitmap-index.js';
import { EntryWriter } from './record.js';

/** Searches the index in this process's memory; PostgreSQL is not asked. */
export class BitmapSearchEngine extends SearchEngine {
  private readonly entries: EntryWriter;

  constructor(
    siteUrl: string,
    /** `null` until the index has been loaded or built. */
    private readonly index: () => BitmapIndex | null,
  ) {
    super();
    this.entries = new EntryWriter(siteUrl);
  }

  /** Raises `unavailable` while there is no index yet. */
  search(criteria: SearchCriteria): Promise<SearchPage> {
    const index = this.index();
    if (!index) return Promise.reject(new ServiceError('unavailable', 'The search index is being built.'));
    const { total, records } = index.search(criteria);
    const entries = records.map((record) => this.entries.entry(record));
    return Promise.resolve({
      total,
      returned: records.length,
      creators: Buffer.from(`[${entries.join(',')}]`),
    });
  }
}
