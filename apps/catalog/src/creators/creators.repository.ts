import { countryKey, type CreatorSelection, type ImportChunkRequest, ServiceError } from '#contracts';
import { copyFrom, type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import { type AccountKey } from '../lookup/account-key.js';
import { addCounts } from './account-counts.js';
import { keepsOutSql, type RemovalNotice } from './block-list.js';
import { type Writing } from './catalog-state.repository.js';
import { type Creator } from './creator.js';
import { deleteAliases, findAliases } from './creator-aliases.js';
import { CreatorEntity } from './creator.entity.js';
import {
  contentFields,
  createdRow,
  type CreatorRow,
  replaceRow,
  rowColumns,
  stagedRow,
  type StoredCreator,
  storedFields,
} from './creator-row.js';

/** A stored creator, as a record is compared with it; with its content where that is needed. */
export interface KnownCreator extends Partial<Creator> {
  readonly slug: string;
  readonly published: boolean;
  readonly content_hash: string;
  readonly account_keys: readonly AccountKey[];
}

interface KnownRow extends Omit<KnownCreator, 'account_keys'> {
  readonly keys: string;
}

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

/** Hand-written: set-based, for a whole chunk; through `creator_accounts_pk`. */
const ownersSql = 'SELECT key, slug FROM creator_accounts WHERE key = ANY($1)';

/** Hand-written: set-based, for a whole chunk; through `creators_pk`. A text is read much faster than an array. */
const knownSql = (more: string) => `
  SELECT slug, published, content_hash, array_to_string(account_keys, chr(10)) AS keys${more}
  FROM creators WHERE slug = ANY($1)`;

/** Hand-written: set-based, through `creators_pk`. */
const takenSql = 'SELECT slug FROM creators WHERE slug = ANY($1)';

/** Hand-written: set-based; each key by one look-up in the block list. The newest removal that keeps each out. */
const keptOutSql = `
  SELECT DISTINCT ON (key) key, id, removed_at
  FROM unnest($1::text[]) AS named (key) CROSS JOIN LATERAL ${keepsOutSql('key')} AS kept_out
    JOIN removals ON id = removal_id
  ORDER BY key, removed_at DESC, id`;

/** New creators need no staging. Writers take turns, so nobody else has stored one of these slugs since the comparison. */
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

/** Hand-written: set-based. Texts are read faster than arrays. */
const noteCreatedSql = `
  INSERT INTO import_changes (slug, import_id, seq, after_hash)
  SELECT split_part(made, E'\\t', 1), $1, $2, split_part(made, E'\\t', 2) FROM string_to_table($3, E'\\n') AS made`;

/** Hand-written: set-based; through `creator_accounts_pk`. */
const releaseSql = 'DELETE FROM creator_accounts WHERE key IN (SELECT unnest($1::text[]))';

/**
 * Hand-written: set-based. A key that another creator still has fails: no account has two. Texts are read faster than arrays.
 */
const ownSql = `
  INSERT INTO creator_accounts (key, slug)
  SELECT split_part(own, E'\\t', 1), split_part(own, E'\\t', 2) FROM string_to_table($1, E'\\n') AS own`;

/** Hand-written: set-based; through `creator_deletions_pk`. */
const reviveSql = 'DELETE FROM creator_deletions WHERE slug = ANY($1)';

/**
 * Hand-written: set-based; through `creators_pk`. With a subquery, it is sent to every server of a distributed catalog, whose
 * commit then has two steps: a deletion is never there without what the coordinator notes of it.
 */
const deleteSql =
  'DELETE FROM creators WHERE slug IN (SELECT unnest($1::text[])) RETURNING slug, account_keys';

/** Hand-written: set-based; through `creator_deletions_pk`. */
const noteDeletedSql = `
  INSERT INTO creator_deletions (slug, revision) SELECT slug, $2::bigint FROM unnest($1::text[]) AS deleted (slug)
  ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision, deleted_at = excluded.deleted_at`;

/** Creators, written by imports and operators, and read one at a time. */
@Injectable()
export class CreatorsRepository {
  /** By the slug of today, or one from before the creator was joined into this one. */
  async find(from: Managed & Queryable, slug: string): Promise<StoredCreator | null> {
    return (await this.findMany(from, [slug])).get(slug) ?? null;
  }

  /** Finds the creators that have or had these slugs. */
  async findMany(from: Managed & Queryable, slugs: readonly string[]): Promise<Map<string, StoredCreator>> {
    const bySlug = async (wanted: readonly string[]): Promise<Map<string, StoredCreator>> => {
      const where = { slug: In(wanted) };
      const creators = await from.manager.find(CreatorEntity, { select: storedFields, where });
      return new Map(creators.map((creator) => [creator.slug, creator]));
    };
    const found = await bySlug(slugs);
    const aliases = await findAliases(
      from,
      slugs.filter((slug) => !found.has(slug)),
    );
    if (aliases.size === 0) return found;
    const current = await bySlug([...aliases.values()]);
    for (const [old, slug] of aliases) {
      const creator = current.get(slug);
      if (creator) found.set(old, creator);
    }
    return found;
  }

  /** The creators of those accounts that any creator has. */
  async findOwners({ query }: Queryable, keys: readonly AccountKey[]): Promise<Map<AccountKey, string>> {
    if (keys.length === 0) return new Map();
    const rows = await query<{ key: AccountKey; slug: string }>('find owners of accounts', ownersSql, [keys]);
    return new Map(rows.map(({ key, slug }) => [key, slug]));
  }

  /** Finds creators by slug; `whole`: with their content. */
  async findKnown(
    { query }: Queryable,
    slugs: readonly string[],
    whole: boolean,
  ): Promise<Map<string, KnownCreator>> {
    if (slugs.length === 0) return new Map();
    const rows = whole
      ? await query<KnownRow>('find whole creators', knownSql(`, ${contentFields.join(', ')}`), [slugs])
      : await query<KnownRow>('find known creators', knownSql(''), [slugs]);
    return new Map(
      rows.map(({ keys, ...creator }) => [
        creator.slug,
        { ...creator, account_keys: keys === '' ? [] : keys.split('\n') },
      ]),
    );
  }

  /** Finds the slugs that a creator has or had, or that a removal keeps out. */
  async findTaken(queryable: Queryable, slugs: readonly string[]): Promise<Set<string>> {
    const rows = await queryable.query<{ slug: string }>('find taken slugs', takenSql, [slugs]);
    const keptOut = await this.findKeptOut(
      queryable,
      slugs.map((slug) => `slug/${slug}`),
    );
    return new Set([
      ...rows.map(({ slug }) => slug),
      ...(await findAliases(queryable, slugs)).keys(),
      ...[...keptOut.keys()].map((key) => key.slice('slug/'.length)),
    ]);
  }

  /** Finds the keys that a removal keeps out. */
  async findKeptOut({ query }: Queryable, keys: readonly string[]): Promise<Map<string, RemovalNotice>> {
    const rows = await query<RemovalNotice & { key: string }>('find kept out', keptOutSql, [keys]);
    return new Map(rows.map(({ key, ...removal }) => [key, removal]));
  }

  /** Copies rows to the staging table, each slug at most once; nothing is locked yet. */
  async stage({ query, manager }: Managed & Queryable, rows: readonly string[]): Promise<void> {
    await query('create staging table', stagingSql);
    await copyFrom(manager, copySql, Buffer.from(rows.join('')));
  }

  /** Stores creators with their accounts, each of which no other creator has then. */
  async store(writing: Writing, creators: readonly CreatorToStore[], by?: ChunkName): Promise<void> {
    const { query } = writing;
    const [created, changed] = [
      creators.filter(({ known }) => !known),
      creators.filter(({ known }) => known),
    ];
    await addCounts(
      writing,
      creators.map(({ row }) => row.counts),
    );
    const [released, owned] = accountChanges(creators);
    if (released.length > 0) await query('release accounts', releaseSql, [released]);
    if (changed.length > 0) await this.storeChanged(writing, changed, by);
    if (created.length > 0) await this.storeCreated(writing, created, by);
    if (owned.length > 0) await query('own accounts', ownSql, [owned.join('\n')]);
  }

  /** Lists creators of a selection after a slug, by slug; through `creators_pk`, which it reads until enough are found. */
  list(
    { manager }: Managed,
    { source, country, platform, published }: CreatorSelection,
    limit: number,
    after = '',
  ): Promise<StoredCreator[]> {
    const where = {
      slug: MoreThan(after),
      ...(source === undefined ? {} : { source }),
      ...(country === undefined ? {} : { foldedCountry: countryKey(country) }),
      ...(platform === undefined ? {} : { [`${platform}Followers`]: Not(IsNull()) }),
      ...(published === undefined ? {} : { published }),
    };
    return manager.find(CreatorEntity, { select: storedFields, where, order: { slug: 'ASC' }, take: limit });
  }

  /** Says from where creators are. */
  async setSource({ manager }: Writing, slugs: readonly string[], source: string): Promise<void> {
    await manager.update(CreatorEntity, { slug: In(slugs) }, { source });
  }

  /** Hides those of the creators that are published and still of the source; returns how many. */
  async unpublish({ manager, revision }: Writing, slugs: readonly string[], source: string): Promise<number> {
    const of = { slug: In(slugs), source, published: true };
    const { affected } = await manager.update(CreatorEntity, of, { published: false, revision });
    return affected ?? 0;
  }

  /** Publishes or hides a creator; `null` when there is none. */
  async setPublished(writing: Writing, slug: string, published: boolean): Promise<StoredCreator | null> {
    const { manager, revision } = writing;
    await manager.update(CreatorEntity, { slug }, { published, revision });
    return this.find(writing, slug);
  }

  /**
   * Deletes creators with their old slugs, or only an old slug, and records the revision; returns how many creators existed. The
   * counts of their accounts stay.
   */
  async remove(writing: Writing, slugs: readonly string[]): Promise<number> {
    const { query, revision } = writing;
    const removed = await query<{ slug: string; account_keys: AccountKey[] }>('delete creators', deleteSql, [
      slugs,
    ]);
    const keys = removed.flatMap(({ account_keys }) => account_keys);
    await query('release accounts', releaseSql, [keys]);
    await query('note deleted creators', noteDeletedSql, [removed.map(({ slug }) => slug), revision]);
    await deleteAliases(writing, slugs);
    return removed.length;
  }

  /** Of an import, also keeps what it changes, so that it can be undone. */
  private async storeChanged(
    writing: Writing,
    creators: readonly CreatorToStore[],
    by: ChunkName | undefined,
  ): Promise<void> {
    const { query, revision } = writing;
    await this.stage(
      writing,
      creators.map(({ slug, row, published }) => stagedRow(slug, row, published)),
    );
    if (by) await query('note changed creators', noteChangedSql, [by.import_id, by.seq]);
    await query('store staged creators', storeSql, [revision, by?.source ?? null]);
  }

  /** Of an import, also keeps what it creates, so that it can be undone. */
  private async storeCreated(
    { query, manager, revision }: Writing,
    creators: readonly CreatorToStore[],
    by: ChunkName | undefined,
  ): Promise<void> {
    const rows = creators.map(({ slug, row, published }) =>
      createdRow(slug, row, { published, revision, source: by?.source ?? null }),
    );
    await copyFrom(manager, createSql, Buffer.from(rows.join('')));
    if (by) {
      const made = creators.map(({ slug, row, published }) => `${slug}\t${row.hash}/${published}`);
      await query('note created creators', noteCreatedSql, [by.import_id, by.seq, made.join('\n')]);
    }
    await query('revive created creators', reviveSql, [creators.map(({ slug }) => slug)]);
  }
}

/** The keys that creators no longer have, and those that they have now, each with a tab and its slug. */
function accountChanges(creators: readonly CreatorToStore[]): [released: AccountKey[], owned: string[]] {
  const [released, owned]: ReturnType<typeof accountChanges> = [[], []];
  for (const { slug, row, known } of creators) {
    const [before, now] = [new Set(known?.account_keys), new Set(row.keys)];
    released.push(...[...before].filter((key) => !now.has(key)));
    owned.push(...[...now].filter((key) => !before.has(key)).map((key) => `${key}\t${slug}`));
  }
  return [released, owned];
}

/** The error for a slug that no creator has. */
export function noSuchCreator(what = 'this slug'): ServiceError {
  return new ServiceError('not_found', `There is no creator with ${what}.`);
}
