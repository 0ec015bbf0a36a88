import { platforms } from '@app/contracts';
import { type Query, type Writing } from '../database/query.js';
import { type GivenCreator } from './creator.js';
import { contentHash, type StoredCreator, storedColumns, toRow } from './creator-row.js';

/** What became of the records of one transaction. */
export interface Stored {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

const columnTypes: Readonly<Record<string, string>> = {
  slug: 'text',
  name: 'text',
  tagline: 'text',
  country: 'text',
  languages: 'text[]',
  verified: 'boolean',
  website: 'text',
  categories: 'text[]',
  platforms: 'jsonb',
  published: 'boolean',
  total_reach: 'bigint',
  newest_updated_at: 'timestamptz',
  ...Object.fromEntries(platforms.map((platform) => [`${platform}_followers`, 'bigint'])),
  folded_country: 'text',
  folded_languages: 'text[]',
  folded_categories: 'text[]',
  search_text: 'text',
  content_hash: 'text',
};

const columns = Object.keys(columnTypes);
const recordset = Object.entries(columnTypes)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');
const replacements = columns
  .filter((name) => name !== 'slug')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

/** One statement for a whole chunk; writers take turns, so nothing can come between the look-up and this. */
const upsertSql = `
  INSERT INTO creators (${columns.join(', ')}, revision)
  SELECT ${columns.join(', ')}, $2::bigint
  FROM json_to_recordset($1::json) AS record (${recordset})
  ON CONFLICT (slug) DO UPDATE SET ${replacements}, revision = excluded.revision`;

/**
 * Stores records, each slug at most once. A record that says nothing new is not written. Known creators keep their
 * `published` flag unless the record gives one; new ones are published.
 */
export async function storeCreators({ query, revision }: Writing, records: GivenCreator[]): Promise<Stored> {
  const slugs = records.map((record) => record.slug);
  const known = await query<{ slug: string; published: boolean; content_hash: string }>(
    'SELECT slug, published, content_hash FROM creators WHERE slug = ANY($1::text[])',
    [slugs],
  );
  const knownBySlug = new Map(known.map((row) => [row.slug, row]));
  const changed = records.filter((record) => {
    const before = knownBySlug.get(record.slug);
    if (!before) return true;
    return (
      before.content_hash !== contentHash(record) ||
      (record.published ?? before.published) !== before.published
    );
  });
  if (changed.length > 0) {
    const rows = changed.map((record) =>
      toRow(record, record.published ?? knownBySlug.get(record.slug)?.published ?? true),
    );
    await query(upsertSql, [JSON.stringify(rows), revision]);
    await query('DELETE FROM creator_deletions WHERE slug = ANY($1::text[])', [slugs]);
  }
  const updated = changed.filter((record) => knownBySlug.has(record.slug)).length;
  return { created: changed.length - updated, updated, unchanged: records.length - changed.length };
}

export async function findCreator(query: Query, slug: string): Promise<StoredCreator | undefined> {
  const [row] = await query<StoredCreator>(`SELECT ${storedColumns} FROM creators WHERE slug = $1`, [slug]);
  return row;
}

/** Publishes or hides a creator; `undefined` when there is none. */
export async function setPublished(
  { query, revision }: Writing,
  slug: string,
  published: boolean,
): Promise<StoredCreator | undefined> {
  const [row] = await query<StoredCreator>(
    `UPDATE creators SET published = $2, revision = $3 WHERE slug = $1 RETURNING ${storedColumns}`,
    [slug, published, revision],
  );
  return row;
}

/** Deletes a creator and leaves its revision behind; whether there was one. */
export async function removeCreator({ query, revision }: Writing, slug: string): Promise<boolean> {
  const removed = await query(
    `WITH removed AS (DELETE FROM creators WHERE slug = $1 RETURNING slug)
     INSERT INTO creator_deletions (slug, revision)
     SELECT slug, $2::bigint FROM removed
     ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision, deleted_at = clock_timestamp()
     RETURNING slug`,
    [slug, revision],
  );
  return removed.length > 0;
}
