import { foldText, type SearchRequest, searchWords } from '@app/contracts';
import { type Pool } from 'pg';
import { categorySlug } from './creator-row.js';

export interface Page {
  readonly total: number;
  /** JSON of each creator. */
  readonly entries: readonly string[];
}

/** Searches and profiles, in SQL. */
export class Creators {
  constructor(private readonly pool: Pool) {}

  /**
   * The total and the page in one snapshot, each by the index that serves it best. Not a prepared statement: planned for its
   * own values it costs a third of what the plan for any values does.
   */
  async search(search: SearchRequest): Promise<Page> {
    const values: unknown[] = [];
    const bind = (value: unknown): string => `$${values.push(value)}`;
    const where = conditionsOf(search, bind).join(' AND ');
    const sql = `
      SELECT entry, (SELECT count(*)::integer FROM creators WHERE ${where}) AS total
      FROM creators WHERE ${where}
      ORDER BY newest_updated_at DESC NULLS LAST, slug LIMIT ${bind(search.limit)}`;
    const { rows } = await this.pool.query<{ entry: string; total: number }>(sql, values);
    return { total: rows[0]?.total ?? 0, entries: rows.map(({ entry }) => entry) };
  }

  /** JSON, or nothing for an unknown slug. */
  async profile(slug: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ profile: string }>({
      name: 'read profile',
      text: 'SELECT profile FROM creators WHERE slug = $1 AND published',
      values: [slug],
    });
    return rows[0]?.profile;
  }
}

/** Values are bound; the only column name from a request is that of a platform, which is one of a list. */
function conditionsOf(search: SearchRequest, bind: (value: unknown) => string): string[] {
  const { q, country, category, language, platform, min_followers: min, max_followers: max } = search;
  const followers = platform === undefined ? 'total_reach' : `${platform}_followers`;
  const conditions = ['published'];
  for (const word of new Set(q === undefined ? [] : searchWords(q))) {
    conditions.push(`search_text LIKE ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`);
  }
  if (country !== undefined) conditions.push(`country = ${bind(foldText(country))}`);
  if (category !== undefined) conditions.push(`categories @> ${bind([categorySlug(category)])}`);
  if (language !== undefined) conditions.push(`languages @> ${bind([foldText(language)])}`);
  if (platform !== undefined) conditions.push(`${followers} IS NOT NULL`);
  if (min !== undefined) conditions.push(`${followers} >= ${bind(min)}`);
  if (max !== undefined) conditions.push(`${followers} <= ${bind(max)}`);
  return conditions;
}
