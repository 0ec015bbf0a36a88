import { type Filters, type NamedFilter, namedFilters } from '@app/contracts';
import { type EntryWriter, type SearchCriteria, type SearchPosition, writeRecord } from '@app/creator-index';
import { type StoredCreator, storedFields } from '../creators/creator-row.js';
import { totalReach } from '../creators/creator.js';
import { type ReadReplicas } from '../database/read-replicas.js';
import { type AccountKey } from '../lookup/account-key.js';
import { SearchEngine, type SearchPage } from './search-engine.js';
import { SqlFilters } from './sql-filters.js';
import { findByKeys } from './sql-lookup.js';

const storedColumns = Object.keys(storedFields)
  .map((column) => `creators.${column}`)
  .join(', ');

/**
 * The matching rules in SQL: the reference for every other engine, and the engine for a catalog larger than memory.
 * Hand-written: its text depends on the filters used, each served by an index of `sqlSearchIndexNames`.
 */
export class SqlSearchEngine extends SearchEngine {
  private readonly counted: SqlFilters;

  constructor(
    private readonly replicas: ReadReplicas,
    private readonly writer: EntryWriter,
    private readonly isDistributed = false,
  ) {
    super();
    this.counted = new SqlFilters(replicas);
  }

  async search(criteria: SearchCriteria): Promise<SearchPage> {
    const parameters: unknown[] = [];
    const bind: Bind = (value) => `$${parameters.push(value)}`;
    const conditions = conditionsOf(criteria, bind);
    // One statement, hence one snapshot: the total and the page can't contradict each other.
    const after = criteria.after === undefined ? '' : `WHERE ${isAfter(criteria.after, bind)}`;
    // One server finds the matches once, for both; of several, each counts its own and sends its first ones.
    const matching = this.isDistributed ? 'NOT MATERIALIZED' : 'MATERIALIZED';
    // One row more than the page shows whether there is another page. The total is returned without a page too. An order that
    // no index has keeps PostgreSQL from reading all creators in that order where it expects more matches than there are.
    const sql = `
       WITH matching AS ${matching} (
         SELECT slug, newest_updated_at FROM creators WHERE ${conditions.join(' AND ')}
       ), page AS (
         SELECT slug, newest_updated_at FROM matching ${after}
         ORDER BY coalesce(newest_updated_at, '-infinity') DESC, slug LIMIT ${bind(criteria.limit + 1)}
       )
       SELECT matched.total, found.*
       FROM (SELECT count(*)::integer AS total FROM matching) AS matched
         LEFT JOIN (
           SELECT page.newest_updated_at, ${storedColumns} FROM page JOIN creators USING (slug)
         ) AS found ON true
       ORDER BY found.newest_updated_at DESC NULLS LAST, found.slug`;
    const rows = await this.replicas.read(({ query }) => query<Row>('search creators', sql, parameters));
    const found = rows.filter((row): row is FoundRow => row.slug !== null);
    const page = found.slice(0, criteria.limit);
    const last = found.length > page.length ? page.at(-1) : undefined;
    return {
      total: rows[0]?.total ?? 0,
      returned: page.length,
      next: last ? { slug: last.slug, updated_at: last.newest_updated_at?.toISOString() ?? null } : null,
      creators: Buffer.from(`[${page.map((row) => this.writer.entry(recordOf(row))).join(',')}]`),
    };
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
    const [known] = await this.replicas.read(({ query }) =>
      query<Partial<Record<NamedFilter, boolean>>>('find values of filters', sql, parameters),
    );
    return asked.filter((name) => known?.[name] === false);
  }

  async lookUp(accounts: readonly (readonly AccountKey[])[]): Promise<(string | null)[]> {
    const found = await this.replicas.read(({ query }) => findByKeys(query, accounts.flat()));
    return accounts.map((keys) => found.get(keys.find((key) => found.has(key)) ?? '') ?? null);
  }

  filters(): Promise<Filters> {
    return this.counted.list();
  }
}

type FoundRow = StoredCreator & { readonly total: number; readonly newest_updated_at: Date | null };
type Row = FoundRow | { readonly total: number; readonly slug: null };

/** The rows after a position in the order of a search. */
function isAfter({ updatedAt, slug }: SearchPosition, bind: Bind): string {
  if (!Number.isFinite(updatedAt)) return `newest_updated_at IS NULL AND slug > ${bind(slug)}`;
  const time = `${bind(new Date(updatedAt))}::timestamptz`;
  return `newest_updated_at < ${time} OR newest_updated_at = ${time} AND slug > ${bind(slug)}
           OR newest_updated_at IS NULL`;
}

function recordOf(creator: StoredCreator): string {
  const { slug, name, country, platforms: accounts } = creator;
  return writeRecord({ slug, name, country, reach: totalReach(creator), accounts });
}

type Bind = (value: unknown) => string;

/** The filters of a search as SQL; every value is bound. Column names come from the platforms' fixed list. */
function conditionsOf(criteria: SearchCriteria, bind: Bind): string[] {
  const { words, country, category, language, platform, minFollowers, maxFollowers } = criteria;
  const followers = platform === undefined ? 'total_reach' : `${platform}_followers`;
  return [
    'published',
    ...words.map((word) => `search_text LIKE ${bind(`%${escapeLike(word)}%`)}`),
    ...(country === undefined ? [] : [`folded_country = ${bind(country)}`]),
    ...(category === undefined ? [] : [`folded_categories @> ARRAY[${bind(category)}]::text[]`]),
    ...(language === undefined ? [] : [`folded_languages @> ARRAY[${bind(language)}]::text[]`]),
    ...(platform === undefined ? [] : [`${followers} IS NOT NULL`]),
    ...(minFollowers === undefined ? [] : [`${followers} >= ${bind(minFollowers)}::bigint`]),
    ...(maxFollowers === undefined ? [] : [`${followers} <= ${bind(maxFollowers)}::bigint`]),
  ];
}

/** Escapes `%`, `_` and `\`, so that they match only themselves. */
function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&');
}
