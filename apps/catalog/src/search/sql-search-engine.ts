import { type EntryWriter, type SearchCriteria, writeRecord } from '@app/creator-index';
import { type DataSource } from 'typeorm';
import { type StoredCreator, storedColumns } from '../creators/creator-row.js';
import { totalReach } from '../creators/creator.js';
import { type Query } from '../database/query.js';
import { readingFromReplicas } from '../database/read-replicas.js';
import { SearchEngine, type SearchPage } from './search-engine.js';

/** The matching rules in SQL: the reference for every other engine, and the engine for a catalog larger than memory. */
export class SqlSearchEngine extends SearchEngine {
  private readonly query: Query;

  constructor(
    dataSource: DataSource,
    private readonly writer: EntryWriter,
  ) {
    super();
    this.query = readingFromReplicas(dataSource);
  }

  async search(criteria: SearchCriteria): Promise<SearchPage> {
    const parameters: unknown[] = [];
    const conditions = conditionsOf(criteria, (value) => `$${parameters.push(value)}`);
    // One statement, hence one snapshot: the total and the page can't contradict each other.
    const rows = await this.query<StoredCreator & { total: number }>(
      `WITH matching AS MATERIALIZED (
         SELECT slug, newest_updated_at FROM creators WHERE ${conditions.join(' AND ')}
       ), page AS (
         SELECT slug, newest_updated_at FROM matching
         ORDER BY newest_updated_at DESC NULLS LAST, slug LIMIT $${parameters.push(criteria.limit)}
       )
       SELECT (SELECT count(*)::integer FROM matching) AS total, ${prefixed(storedColumns)}
       FROM page JOIN creators USING (slug)
       ORDER BY page.newest_updated_at DESC NULLS LAST, page.slug`,
      parameters,
    );
    const entries = rows.map((row) => this.writer.entry(recordOf(row)));
    return {
      total: rows[0]?.total ?? 0,
      returned: rows.length,
      creators: Buffer.from(`[${entries.join(',')}]`),
    };
  }
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

/** `%`, `_` and `\` stand for themselves. */
function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&');
}

function prefixed(columns: string): string {
  return columns
    .split(', ')
    .map((column) => `creators.${column}`)
    .join(', ');
}
