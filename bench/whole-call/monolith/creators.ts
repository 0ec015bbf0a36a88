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
  /** The name of each prepared statement, by its text. */
  private readonly names = new Map<string, string>();

  constructor(private readonly pool: Pool) {}

  /** The count and the page are separate statements: each has the index that serves it best. */
  async search(search: SearchRequest): Promise<Page> {
    const values: unknown[] = [];
    const where = conditionsOf(search, (value) => `$${values.push(value)}`).join(' AND ');
    const count = `SELECT count(*)::integer AS total FROM creators WHERE ${where}`;
    const page = `SELECT entry FROM creators WHERE ${where}
      ORDER BY newest_updated_at DESC NULLS LAST, slug LIMIT $${values.length + 1}`;
    const [counted, found] = await Promise.all([
      this.query<{ total: number }>(count, values),
      this.query<{ entry: string }>(page, [...values, search.limit]),
    ]);
    return { total: counted[0]?.total ?? 0, entries: found.map(({ entry }) => entry) };
  }

  /** JSON, or nothing for an unknown slug. */
  async profile(slug: string): Promise<string | undefined> {
    const sql = 'SELECT profile FROM creators WHERE slug = $1 AND published';
    const [found] = await this.query<{ profile: string }>(sql, [slug]);
    return found?.profile;
  }

  private async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    const name = this.names.get(text) ?? `creators ${this.names.size}`;
    this.names.set(text, name);
    return (await this.pool.query<Row>({ name, text, values })).rows;
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
