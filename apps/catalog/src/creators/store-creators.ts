import { type ImportChunkRequest } from '#contracts';
import { copyFrom, type Managed, type Queryable } from '#platform/database';
import { rowsOfText, textOfRows } from '../database/text-rows.js';
import { type AccountKey } from '../lookup/account-key.js';
import { addCounts } from './account-counts.js';
import { type Writing } from './writing.js';
import {
  createdRow,
  type CreatorRow,
  type KnownCreator,
  replaceRow,
  rowColumns,
  stagedRow,
  storedFields,
} from './creator-row.js';

/** Names a chunk of an import, and where its records are from. */
export type ChunkName = Pick<ImportChunkRequest, 'import_id' | 'seq' | 'source'>;

/** A creator that is new or changed. */
export interface CreatorToStore {
  readonly slug: string;
  readonly row: CreatorRow;
  readonly published: boolean;
  readonly known: KnownCreator | undefined;
}

const columns = [...rowColumns, 'published'].join(', ');

/**
 * The staging table of this version: behind a pooler a connection may still have that of another one, with other
 * columns.
 */
export const stagingTable = `staged_creators_${rowColumns.length}`;

/**
 * Hand-written: the table is no entity. Emptied by every COMMIT; created once per server connection, also behind a
 * pooler.
 */
const stagingSql = `
  CREATE TEMPORARY TABLE IF NOT EXISTS ${stagingTable} ON COMMIT DELETE ROWS AS
  SELECT ${columns} FROM creators WITH NO DATA`;

const copySql = `COPY ${stagingTable} (${columns}) FROM STDIN`;

/** Copies new creators straight into their table: writers take turns, so no other one has stored these slugs since they were compared. */
const createSql = `COPY creators (${columns}, revision, source) FROM STDIN`;

/**
 * Hand-written: one statement for the known creators of a chunk, through `creators_pk`; an update in the form that a distributed
 * catalog takes from a local table.
 */
const storeSql = `
  INSERT INTO creators (${columns}, revision, source) SELECT ${columns}, $1::bigint, $2 FROM ${stagingTable}
  ON CONFLICT (slug) DO UPDATE
  SET ${replaceRow}, published = excluded.published, revision = excluded.revision, source = excluded.source`;

/** What a creator was, as JSON, and what tells whether it is still what it became. */
const beforeSql = `json_build_object(${Object.keys(storedFields)
  .map((name) => `'${name}', creators.${name}`)
  .join(', ')})`;

/** Hand-written: set-based, for a whole chunk, before it is stored; through `creators_pk`. */
const noteChangedSql = `
  INSERT INTO import_changes (slug, import_id, seq, before, after_hash)
  SELECT slug, $1, $2, ${beforeSql}, staged.content_hash || '/' || staged.published
  FROM creators JOIN ${stagingTable} AS staged USING (slug)`;

/** Hand-written: set-based. */
const noteCreatedSql = `
  INSERT INTO import_changes (slug, import_id, seq, after_hash)
  SELECT slug, $1, $2, stamp FROM ${rowsOfText('$3', { slug: 'text', stamp: 'text' })}`;

/** Hand-written: set-based; through `creator_accounts_pk`. */
const releaseSql = 'DELETE FROM creator_accounts WHERE key IN (SELECT unnest($1::text[]))';

/** Hand-written: set-based. A key that another creator still has fails: no account has two. */
const ownSql = `
  INSERT INTO creator_accounts (key, slug) SELECT key, slug FROM ${rowsOfText('$1', { key: 'text', slug: 'text' })}`;

/** Hand-written: set-based; through `creator_deletions_pk`. */
const reviveSql = 'DELETE FROM creator_deletions WHERE slug = ANY($1)';

/** Copies rows to the staging table, each slug at most once; nothing is locked yet. */
export async function stageCreators(
  { query, manager }: Managed & Queryable,
  rows: readonly string[],
): Promise<void> {
  await query('create staging table', stagingSql);
  await copyFrom(manager, copySql, Buffer.from(rows.join('')));
}

/** Stores creators with their accounts, each of which no other creator has then; of an import, in a way that can be undone. */
export async function storeCreators(
  writing: Writing,
  creators: readonly CreatorToStore[],
  by?: ChunkName,
): Promise<void> {
  const counts = creators.map(({ row }) => row.counts);
  // Sent first, so that PostgreSQL is at it while this process writes the rows.
  await Promise.all([addCounts(writing, counts), storeRows(writing, creators, by)]);
}

async function storeRows(
  writing: Writing,
  creators: readonly CreatorToStore[],
  by: ChunkName | undefined,
): Promise<void> {
  const [released, owned] = accountChanges(creators);
  await releaseAccounts(writing, released);
  const [created, changed] = [creators.filter(({ known }) => !known), creators.filter(({ known }) => known)];
  if (changed.length > 0) await storeChanged(writing, changed, by);
  if (created.length > 0) await storeCreated(writing, created, by);
  if (owned.length > 0) await writing.query('own accounts', ownSql, [textOfRows(owned)]);
}

async function storeChanged(
  writing: Writing,
  creators: readonly CreatorToStore[],
  by: ChunkName | undefined,
): Promise<void> {
  const { query, revision } = writing;
  const rows = creators.map(({ slug, row, published }) => stagedRow(slug, row, published));
  await stageCreators(writing, rows);
  if (by) await query('note changed creators', noteChangedSql, [by.import_id, by.seq]);
  await query('store staged creators', storeSql, [revision, by?.source ?? null]);
}

async function storeCreated(
  { query, manager, revision }: Writing,
  creators: readonly CreatorToStore[],
  by: ChunkName | undefined,
): Promise<void> {
  const added = { revision, source: by?.source ?? null };
  const rows = creators.map(({ slug, row, published }) => createdRow(slug, row, published, added));
  await copyFrom(manager, createSql, Buffer.from(rows.join('')));
  if (by) {
    const made = creators.map(({ slug, row, published }) => [slug, `${row.hash}/${published}`]);
    await query('note created creators', noteCreatedSql, [by.import_id, by.seq, textOfRows(made)]);
  }
  await query('revive created creators', reviveSql, [creators.map(({ slug }) => slug)]);
}

/** Accounts with these keys no longer belong to any creator. */
export async function releaseAccounts({ query }: Queryable, keys: readonly AccountKey[]): Promise<void> {
  if (keys.length > 0) await query('release accounts', releaseSql, [keys]);
}

/** The keys that creators no longer have, and those that they have now, with their slugs. */
function accountChanges(
  creators: readonly CreatorToStore[],
): [released: AccountKey[], owned: (readonly [AccountKey, string])[]] {
  const [released, owned]: ReturnType<typeof accountChanges> = [[], []];
  for (const { slug, row, known } of creators) {
    const [before, now] = [new Set(known?.account_keys), new Set(row.keys)];
    released.push(...[...before].filter((key) => !now.has(key)));
    owned.push(...[...now].filter((key) => !before.has(key)).map((key) => [key, slug] as const));
  }
  return [released, owned];
}
