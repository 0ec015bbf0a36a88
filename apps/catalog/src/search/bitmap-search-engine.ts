import { type Filters, type NamedFilter, ServiceError, namedFilters } from '#contracts';
import { type BitmapIndex, type SearchCriteria } from '#creator-index';
import { type AccountKey } from '../lookup/account-key.js';
import { keysOfAccount } from '../lookup/creator-account.js';
import { SearchEngine, type SearchPage, toFiltersReply, toNextPage } from './search-engine.js';

/** Searches the index in this process's memory, without PostgreSQL. */
export class BitmapSearchEngine extends SearchEngine {
  /** `index` returns `null` until it has been loaded or built. */
  constructor(private readonly index: () => BitmapIndex | null) {
    super();
  }

  protected find(criteria: SearchCriteria): Promise<SearchPage> {
    return this.ask((index) => {
      const { total, entries, next } = index.search(criteria);
      return {
        total,
        returned: entries.length,
        next: next && toNextPage(next, criteria),
        creators: joinEntries(entries),
      };
    });
  }

  unknownFilters(criteria: SearchCriteria): Promise<NamedFilter[]> {
    return this.ask((index) =>
      namedFilters.filter((name) => {
        const value = criteria[name];
        return value !== undefined && index.search({ words: [], [name]: value, limit: 1 }).total === 0;
      }),
    );
  }

  lookUp(accounts: readonly (readonly AccountKey[])[]): Promise<(string | null)[]> {
    return this.ask((index) => accounts.map((keys) => findFirst(index, keys)));
  }

  filters(): Promise<Filters> {
    return this.ask((index) => toFiltersReply(index.filters()));
  }

  /** Throws `unavailable` while there is no index yet. */
  protected ask<Answer>(answer: (index: BitmapIndex) => Answer): Promise<Answer> {
    const index = this.index();
    if (index) return Promise.resolve(answer(index));
    return Promise.reject(
      new ServiceError('unavailable', 'The search index is being built; try again shortly.'),
    );
  }
}

/** A JSON array of entries. */
function joinEntries(entries: readonly Buffer[]): Buffer {
  if (entries.length === 0) return Buffer.from('[]');
  const bytes = Buffer.allocUnsafe(entries.reduce((sum, { length }) => sum + length + 1, 1));
  bytes[0] = openingBracket;
  let end = 1;
  for (const entry of entries) {
    bytes.set(entry, end);
    end += entry.length;
    bytes[end++] = comma;
  }
  bytes[end - 1] = closingBracket;
  return bytes;
}

const openingBracket = 0x5b;
const comma = 0x2c;
const closingBracket = 0x5d;

function findFirst(index: BitmapIndex, keys: readonly AccountKey[]): string | null {
  for (const key of keys) {
    const slug = index.findByAccount(key, (account) => keysOfAccount(account).includes(key));
    if (slug !== null) return slug;
  }
  return null;
}
