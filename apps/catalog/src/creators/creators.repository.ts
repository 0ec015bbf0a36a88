import { platforms } from '@app/contracts';
import { type Query, type Writing } from '../database/query.js';
import { type GivenCreator } from './creator.js';
import { type CreatorRow, type StoredCreator, storedColumns, toRow } from './creator-row.js';

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

/** A record with everything worked out that needs no database, so that no writer waits for it. */
export interface PreparedCreator {
  readonly slug: string;
  /** `null`: a known creator keeps its flag, a new one is published. */
  readonly published: boolean | null;
  readonly row: CreatorRow;
}

export function prepareCreator(record: GivenCreator): PreparedCreator {
  return { slug: record.slug, published: record.published, row: toRow(record) };
}

interface KnownCreator {
  readonly slug: string;
  readonly published: boolean;
  readonly content_hash: string;
}

/** Stores creators, each slug at most once. One that says nothing new is not written. */
export async function storeCreators(
  { query, revision }: Writing,
  creators: readonly PreparedCreator[],
): Promise<Stored> {
  const known = await query<KnownCreator>(
    'SELECT slug, published, content_hash FROM creators WHERE slug = ANY($1::text[])',
    [creators.map(({ slug }) => slug)],
  );
  const knownBySlug = new Map(known.map((row) => [row.slug, row]));
  const changed = creators.flatMap(({ slug, published, row }) => {
    const before = knownBySlug.get(slug);
    const next = { ...row, published: published ?? before?.published ?? true };
    const isSame = before?.content_hash === next.content_hash && before.published === next.published;
    return isSame ? [] : [next];
  });
  if (changed.length > 0) {
    await query(upsertSql, [JSON.stringify(changed), revision]);
    await query('DELETE FROM creator_deletions WHERE slug = ANY($1::text[])', [
      changed.map(({ slug }) => slug),
    ]);
  }
  const updated = changed.filter(({ slug }) => knownBySlug.has(slug)).length;
  return { created: changed.length - updated, updated, unchanged: creators.length - changed.length };
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
