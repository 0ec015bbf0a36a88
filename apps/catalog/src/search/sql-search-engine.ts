import { type Filters, type NamedFilter, namedFilters } from '#contracts';
import { type EntryWriter, type SearchCriteria, writeRecord } from '#creator-index';
import { type StoredCreator } from '../creators/creator-row.js';
import { totalReach } from '../creators/creator.js';
import { type Query } from '#platform/database';
import { type AccountKey } from '../lookup/account-key.js';
import { type KnownTotal, KnownTotals } from './known-totals.js';
import { SearchEngine, type SearchPage } from './search-engine.js';
import { readSettledState, SqlFilters } from './sql-filters.js';
import { findByKeys } from './sql-lookup.js';
import {
  type Bind,
  conditionsOf,
  countStatement,
  distributedSearchStatement,
  searchStatement,
} from './sql-search-text.js';

/**
 * The matching rules in SQL: the reference for every other engine, and the engine for a catalog larger than memory.
 */
export class SqlSearchEngine extends SearchEngine {
  private readonly counted: SqlFilters;
  private readonly totals = new KnownTotals();
  readonly limits = {
    /** Of how many of the newest creators a page is tried to be made: a thousand rows by their index take a few milliseconds. */
    newestTried: 1_000,
    /** When so many match, a page is found sooner among the newest creators than by sorting those that match. */
    frequentMatches: 10_000,
    /** Then so many: reading ends when the page is full, for 10,000 of ten million creators after about 50,000. */
    newestOfFrequent: 200_000,
  };

  constructor(
    private readonly query: Query,
    private readonly writer: EntryWriter,
    private readonly isDistributed = false,
  ) {
    super();
    this.counted = new SqlFilters(query);
  }

  protected async find(criteria: SearchCriteria): Promise<SearchPage> {
    const rows = await (this.isDistributed ? this.findOnParts(criteria) : this.findRows(criteria));
    const total = rows[0]?.total ?? 0;
    const found = rows.filter((row): row is FoundRow => row.slug !== null);
    const page = found.slice(0, criteria.limit);
    const last = found.length > page.length ? page.at(-1) : undefined;
    return {
      total,
      returned: page.length,
      next: last ? { slug: last.slug, updated_at: last.newest_updated_at?.toISOString() ?? null } : null,
      creators: Buffer.from(`[${page.map((row) => this.writer.entry(recordOf(row))).join(',')}]`),
    };
  }

  private async findRows(criteria: SearchCriteria): Promise<Row[]> {
    const known = this.totals.find(criteria);
    const { sql, parameters } = searchStatement(criteria, known, this.newestTriedFor(known));
    const rows = await this.query<Row & StateRow>('search creators', sql, parameters);
    const [first] = rows;
    if (first) {
      const { total, catalog_id: catalogId, revision } = first;
      this.totals.keep(criteria, { total, state: { catalogId, revision } });
    }
    return rows;
  }

  /** Also if the catalog has changed since: what was rare then is hardly frequent now. */
  private newestTriedFor(known: KnownTotal | undefined): number {
    const { newestTried, frequentMatches, newestOfFrequent } = this.limits;
    if (!known) return newestTried;
    return known.total < frequentMatches ? 0 : newestOfFrequent;
  }

  /** Servers have no common snapshot: a total and its page may differ by what is being stored at the moment. */
  private async findOnParts(criteria: SearchCriteria): Promise<Row[]> {
    const state = await readSettledState(this.query);
    const known = this.totals.find(criteria);
    const isRight = known?.state.catalogId === state.catalogId && known.state.revision === state.revision;
    const total = isRight ? known.total : await countOnParts(this.query, criteria);
    this.totals.keep(criteria, { total, state });
    const { sql, parameters } = distributedSearchStatement(criteria, total, this.limits.frequentMatches);
    return this.query<Row>('search creators', sql, parameters);
  }

  /** Each value is looked up in the index of its filter, and the first row is enough. */
  async unknownFilters(criteria: SearchCriteria): Promise<NamedFilter[]> {
    const parameters: unknown[] = [];
    const bind: Bind = (value) => `$${parameters.push(value)}`;
    const asked = namedFilters.filter((name) => criteria[name] !== undefined);
    if (asked.length === 0) return [];
    const columns = asked.map((name) => {
      const conditions = conditionsOf({ words: [], limit: 1, [name]: criteria[name] }, bind);
      return `EXISTS (SELECT 1 FROM creators WHERE ${conditions.join(' AND ')} LIMIT 1) AS ${name}`;
    });
    const sql = `SELECT ${columns.join(', ')}`;
    const [known] = await this.query<Partial<Record<NamedFilter, boolean>>>(
      'find values of filters',
      sql,
      parameters,
    );
    return asked.filter((name) => known?.[name] === false);
  }

  async lookUp(accounts: readonly (readonly AccountKey[])[]): Promise<(string | null)[]> {
    const found = await findByKeys(this.query, accounts.flat());
    return accounts.map((keys) => found.get(keys.find((key) => found.has(key)) ?? '') ?? null);
  }

  filters(): Promise<Filters> {
    return this.counted.list();
  }
}

type FoundRow = StoredCreator & { readonly total: number; readonly newest_updated_at: Date | null };
type Row = FoundRow | { readonly total: number; readonly slug: null };

interface StateRow {
  readonly catalog_id: string;
  readonly revision: number;
}

async function countOnParts(query: Query, criteria: SearchCriteria): Promise<number> {
  const { sql, parameters } = countStatement(criteria);
  const [row] = await query<{ total: number }>('count creators', sql, parameters);
  return row?.total ?? 0;
}

function recordOf(creator: StoredCreator): string {
  const { slug, name, country, platforms: accounts } = creator;
  return writeRecord({ slug, name, country, reach: totalReach(creator), accounts });
}
