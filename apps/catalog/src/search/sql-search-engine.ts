import { type EntryWriter, type SearchCriteria, writeRecord } from '@app/creator-index';
import { type StoredCreator, storedFields } from '../creators/creator-row.js';
import { totalReach } from '../creators/creator.js';
import { type ReadReplicas } from '../database/read-replicas.js';
import { SearchEngine, type SearchPage } from './search-engine.js';

const storedColumns = Object.keys(storedFields)
  .map((column) => `creators.${column}`)
  .join(', ');

/**
 * The matching rules in SQL: the reference for every other engine, and the engine for a catalog larger than memory. Hand-written:
 * its text follows from the filters that are used, each served by an index of `sqlSearchIndexNames`.
 */
export class SqlSearchEngine extends SearchEngine {
  constructor(
    private readonly replicas: ReadReplicas,
    private readonly writer: EntryWriter,
  ) {
    super();
  }

  async search(criteria: SearchCriteria): Promise<SearchPage> {
    const parameters: unknown[] = [];
    const conditions = conditionsOf(criteria, (value) => `$${parameters.push(value)}`);
    // One statement, hence one snapshot: the total and the page can't contradict each other.
    const sql = `
       WITH matching AS MATERIALIZED (
         SELECT slug, newest_updated_at FROM creators WHERE ${conditions.join(' AND ')}
       ), page AS (
         SELECT slug, newest_updated_at FROM matching
         ORDER BY newest_updated_at DESC NULLS LAST, slug LIMIT $${parameters.push(criteria.limit)}
       )
       SELECT (SELECT count(*)::integer FROM matching) AS total, ${storedColumns}
       FROM page JOIN creators USING (slug)
       ORDER BY page.newest_updated_at DESC NULLS LAST, page.slug`;
    const rows = await this.replicas.read(({ query }) =>
      query<StoredCreator & { total: number }>('search creators', sql, parameters),
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
