import { type Filters, type NamedFilter, namedFilters } from '#contracts';
import { type EntryWriter, type SearchCriteria, type SearchPosition, writeRecord } from '#creator-index';
import { type StoredCreator } from '../creators/creator-row.js';
import { totalReach } from '../creators/creator.js';
import { type CreatorsRepository } from '../creators/creators.repository.js';
import { readState } from '../search-index/index-source.js';
import { type Query, type TransactionRunner } from '#platform/database';
import { type AccountKey } from '../lookup/account-key.js';
import { SearchEngine, type SearchPage, toNextPage } from './search-engine.js';
import { readSettledState, SqlFilters } from './sql-filters.js';
import { type Bind, conditionsOf, countStatement, searchStatement } from './sql-search-text.js';

/** Number of searches whose total is remembered. */
const totalsMax = 10_000;

/**
 * The matching rules in SQL: the reference for every other engine, and the engine for a catalog larger than memory.
 */
export class SqlSearchEngine extends SearchEngine {
  private readonly counted: SqlFilters;
  /** Totals of the latest searches, by the state of the catalog and what is searched for. */
  private readonly totals = new Map<string, number>();
  readonly limits = {
    /** When so many match, a page is found sooner among the newest creators than by sorting those that match. */
    frequentMatches: 10_000,
  };

  constructor(
    private readonly database: TransactionRunner,
    private readonly creators: CreatorsRepository,
    private readonly writer: EntryWriter,
    private readonly isDistributed = false,
  ) {
    super();
    this.counted = new SqlFilters(database.query);
  }

  /** Several servers have no common snapshot: there a total and its page may differ by what is being stored at the moment. */
  protected find(criteria: SearchCriteria): Promise<SearchPage> {
    if (this.isDistributed) return this.findWith(this.database.query, criteria);
    const onSnapshot = { isolation: 'REPEATABLE READ', readOnly: true } as const;
    return this.database.run(({ query }) => this.findWith(query, criteria), onSnapshot);
  }

  private async findWith(query: Query, criteria: SearchCriteria): Promise<SearchPage> {
    const total = await this.count(query, criteria);
    const { sql, parameters } = searchStatement(criteria, total >= this.limits.frequentMatches);
    const rows = total === 0 ? [] : await query<FoundRow>('search creators', sql, parameters);
    const page = rows.slice(0, criteria.limit);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    return {
      total,
      returned: page.length,
      next: last ? toNextPage(positionOf(last), criteria) : null,
      creators: Buffer.from(`[${page.map((row) => this.writer.entry(recordOf(row))).join(',')}]`),
    };
  }

  private async count(query: Query, criteria: SearchCriteria): Promise<number> {
    const { catalogId, revision } = await (this.isDistributed ? readSettledState : readState)(query);
    // The same for every page: without what says which one it is.
    const key = JSON.stringify([catalogId, revision, { ...criteria, limit: null, after: null, sort: null }]);
    const known = this.totals.get(key);
    if (known !== undefined) return known;
    const { sql, parameters } = countStatement(criteria);
    const [row] = await query<{ total: number }>('count creators', sql, parameters);
    const total = row?.total ?? 0;
    if (this.totals.size >= totalsMax) this.totals.clear();
    this.totals.set(key, total);
    return total;
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
    const [known] = await this.database.query<Partial<Record<NamedFilter, boolean>>>(
      'find values of filters',
      sql,
      parameters,
    );
    return asked.filter((name) => known?.[name] === false);
  }

  async lookUp(accounts: readonly (readonly AccountKey[])[]): Promise<(string | null)[]> {
    const owners = await this.creators.findOwners(this.database, [...new Set(accounts.flat())]);
    const slugs = [...new Set(owners.values())];
    const rows = await this.database.query<{ slug: string }>('find published creators', publishedSql, [
      slugs,
    ]);
    const published = new Set(rows.map(({ slug }) => slug));
    const find = (key: AccountKey): string | null => {
      const slug = owners.get(key);
      return slug !== undefined && published.has(slug) ? slug : null;
    };
    return accounts.map((keys) => keys.map(find).find((slug) => slug !== null) ?? null);
  }

  filters(): Promise<Filters> {
    return this.counted.list();
  }
}

/** `value`: what the search is sorted by, a time or a number. */
type FoundRow = StoredCreator & { readonly value: Date | string | null };

function positionOf({ slug, value }: FoundRow): SearchPosition {
  return { slug, value: value === null ? -Infinity : Number(value) };
}

function recordOf(creator: StoredCreator): string {
  const { slug, name, country, platforms: accounts } = creator;
  return writeRecord({ slug, name, country, reach: totalReach(creator), accounts });
}

/** Hand-written: through `creators_pk`, after `creator_accounts_pk` has found whose the accounts are. */
const publishedSql = 'SELECT slug FROM creators WHERE slug = ANY($1) AND published';
