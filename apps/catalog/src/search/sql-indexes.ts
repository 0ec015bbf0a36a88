import { platforms } from '#contracts';
import { type Query } from '#platform/database';

/**
 * The indexes of the SQL engine. `creators_newest`, `creators_by_reach` and those of the platforms' followers are the orders of
 * a search, the latter two also ranges; the facets are equality and array
 * containment; trigrams find words of three letters and more, shorter ones are found by scanning.
 * `creators_by_text_version` finds what is to be folded again, and exists for both engines.
 */
const indexes: Readonly<Record<string, string>> = {
  creators_newest: 'creators (newest_updated_at DESC NULLS LAST, slug) WHERE published',
  creators_of_country: 'creators (folded_country) WHERE published',
  creators_of_language: 'creators USING gin (folded_languages) WHERE published',
  creators_of_category: 'creators USING gin (folded_categories) WHERE published',
  creators_by_reach: 'creators (total_reach DESC NULLS LAST, slug) WHERE published',
  ...Object.fromEntries(
    platforms.map((platform) => [
      `creators_by_${platform}`,
      `creators (${platform}_followers DESC NULLS LAST, slug) WHERE published AND ${platform}_followers IS NOT NULL`,
    ]),
  ),
  creators_by_text: 'creators USING gin (search_text gin_trgm_ops) WHERE published',
  creators_by_text_version: 'creators (text_version)',
};

export const searchIndexNames = Object.keys(indexes);

/**
 * Creates the indexes of the SQL engine, or removes them: importing is three times as fast without them, and the other
 * engine never uses them. Neither blocks writers. Returns the names of those created or removed.
 */
export async function applySqlSearchIndexes(query: Query, wanted: boolean): Promise<string[]> {
  const existing = await query<{ name: string; valid: boolean }>(
    'select search indexes',
    `SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE indrelid = 'creators'::regclass AND relname = ANY($1)`,
    [searchIndexNames],
  );
  // An index whose creation was interrupted exists but is invalid.
  const isWanted = (name: string): boolean => wanted || name === 'creators_by_text_version';
  const unwanted = existing.filter(({ name, valid }) => !isWanted(name) || !valid).map(({ name }) => name);
  for (const name of unwanted) await query('drop search index', `DROP INDEX CONCURRENTLY ${name}`);
  const usable = existing.filter(({ valid }) => valid).map(({ name }) => name);
  const missing = searchIndexNames.filter((name) => isWanted(name) && !usable.includes(name));
  for (const name of missing) {
    await query('create search index', `CREATE INDEX CONCURRENTLY ${name} ON ${indexes[name]}`);
  }
  return [...unwanted, ...missing];
}
