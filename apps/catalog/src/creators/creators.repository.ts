import { ServiceError } from '#contracts';
import { copyFrom, type Managed, type Query, type Transaction } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { keepsOutSql, type RemovedStaged } from './block-list.js';
import { CreatorEntity } from './creator.entity.js';
import { replaceRow, rowColumns, type StoredCreator, storedFields } from './creator-row.js';

/** The outcome of the records of one transaction. */
export interface Stored {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Those not stored, because they are kept out. */
  readonly removed: readonly RemovedStaged[];
}

const columns = rowColumns.join(', ');

/**
 * The staging table of this version: behind a pooler a connection may still have that of another one, with other
 * columns.
 */
export const stagingTable = `staged_creators_${rowColumns.length}`;

/** What the catalog has under the slugs of staged creators. */
const knownTable = 'known_creators';

/**
 * Hand-written: the tables are no entities. Emptied by every COMMIT; created once per server connection, also behind a
 * pooler.
 */
const stagingSql = `
  CREATE TEMPORARY TABLE IF NOT EXISTS ${stagingTable} ON COMMIT DELETE ROWS AS
  SELECT ${columns}, published AS given_published, 0 AS line FROM creators WITH NO DATA;
  CREATE TEMPORARY TABLE IF NOT EXISTS ${knownTable} ON COMMIT DELETE ROWS AS
  SELECT slug, published, content_hash, account_keys FROM creators WITH NO DATA`;

const copySql = `COPY ${stagingTable} (${columns}, given_published, line) FROM STDIN`;

/**
 * Hand-written: set-based, for a whole chunk; through `creators_pk`. Where the catalog is distributed, only slugs are sent there.
 * `$1`: whether the block list will be looked through.
 */
const findKnownSql = `
  INSERT INTO ${knownTable} (slug, published, content_hash, account_keys)
  SELECT slug, creators.published, creators.content_hash, CASE WHEN $1::boolean THEN creators.account_keys END
  FROM creators JOIN ${stagingTable} USING (slug)`;

/**
 * Hand-written: set-based; each key by one look-up in the block list. Takes out who is kept out, each with the newest removal. A known
 * creator with the accounts of before is not looked for: nobody stored is kept out.
 */
const takeOutRemovedSql = `
  WITH refused AS MATERIALIZED (
    SELECT DISTINCT ON (line) line, id, removed_at
    FROM ${stagingTable} AS staged LEFT JOIN ${knownTable} AS known USING (slug)
      CROSS JOIN unnest(array_append(staged.account_keys, 'slug/' || slug)) AS key
      CROSS JOIN LATERAL ${keepsOutSql('key')} AS kept_out
      JOIN removals ON id = removal_id
    WHERE known.account_keys IS DISTINCT FROM staged.account_keys
    ORDER BY line, removed_at DESC, id
  ), taken AS (
    DELETE FROM ${stagingTable} AS staged USING refused WHERE staged.line = refused.line
  )
  SELECT line, id, removed_at FROM refused ORDER BY line`;

/** The staged creators beside those with their slugs. */
const compared = `
  (SELECT staged.*, known.slug IS NOT NULL AS is_known,
    coalesce(given_published, known.published, true) AS next_published,
    known.slug IS NOT NULL AND known.content_hash = staged.content_hash
      AND known.published = coalesce(given_published, known.published) AS is_same
  FROM ${stagingTable} AS staged LEFT JOIN ${knownTable} AS known USING (slug)) AS compared`;

/** Hand-written: set-based, for a whole chunk. */
const countSql = `
  SELECT count(*) FILTER (WHERE NOT is_known)::integer AS created,
    count(*) FILTER (WHERE is_known AND NOT is_same)::integer AS updated,
    count(*) FILTER (WHERE is_same)::integer AS unchanged
  FROM ${compared}`;

/**
 * Hand-written: one statement for a whole chunk, through `creators_pk`. Writes new and changed creators. Writers take
 * turns, so nothing changes between the comparison and the write.
 */
const storeSql = `
  INSERT INTO creators (${columns}, published, revision)
  SELECT ${columns}, next_published, $1::bigint FROM ${compared} WHERE NOT is_same
  ON CONFLICT (slug) DO UPDATE SET ${replaceRow}, published = excluded.published, revision = excluded.revision`;

/** Hand-written: set-based, for a whole chunk; through `creators_pk`. Those that no search finds yet, and would. */
const takeOutNewSql = `
  DELETE FROM ${stagingTable} AS staged
  USING ${stagingTable} AS same LEFT JOIN creators AS known USING (slug)
  WHERE same.slug = staged.slug AND NOT coalesce(known.published, false)
    AND coalesce(same.given_published, known.published, true)
  RETURNING staged.line`;

/** Hand-written: set-based; through `creator_deletions_pk`. */
const reviveSql = `
  DELETE FROM creator_deletions USING ${stagingTable} AS staged WHERE creator_deletions.slug = staged.slug`;

/**
 * Hand-written: set-based; through `creators_pk`. With a subquery, it is sent to every server of a distributed catalog, whose
 * commit then has two steps: a deletion is never there without what the coordinator notes of it.
 */
const deleteSql = 'DELETE FROM creators WHERE slug IN (SELECT unnest($1::text[])) RETURNING slug';

/** Hand-written: set-based; through `creator_deletions_pk`. */
const noteDeletedSql = `
  INSERT INTO creator_deletions (slug, revision) SELECT slug, $2::bigint FROM unnest($1::text[]) AS deleted (slug)
  ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision, deleted_at = excluded.deleted_at`;

/** Creators, written by imports and operators, and read one at a time. */
@Injectable()
export class CreatorsRepository {
  find({ manager }: Managed, slug: string): Promise<StoredCreator | null> {
    return manager.findOne(CreatorEntity, { select: storedFields, where: { slug } });
  }

  /** Copies rows to the staging table, each slug at most once; nothing is locked yet. */
  async stage({ query, manager }: Transaction, rows: Uint8Array): Promise<void> {
    await query('create staging table', stagingSql);
    await copyFrom(manager, copySql, rows);
  }

  /** Takes out of the staged creators those that would be published now; returns their lines. */
  async takeOutNewlyPublished({ query }: Transaction): Promise<number[]> {
    const taken = await query<{ line: number }>('take out newly published creators', takeOutNewSql);
    return taken.map(({ line }) => line);
  }

  /** What storing the staged creators would do at this moment. Locks nothing. */
  compareStaged({ query }: Transaction): Promise<Stored> {
    return this.compare(query, true);
  }

  /**
   * Stores the staged creators; unchanged ones are not written. The writer's lock keeps the block list as it is until the end
   * of the transaction.
   */
  async storeStaged({ query, revision, removals }: Writing): Promise<Stored> {
    const stored = await this.compare(query, removals > 0);
    if (stored.created + stored.updated > 0) {
      await query('store staged creators', storeSql, [revision]);
    }
    if (stored.created > 0) await query('revive staged creators', reviveSql);
    return stored;
  }

  /** Publishes or hides a creator; `null` when there is none. */
  async setPublished(writing: Writing, slug: string, published: boolean): Promise<StoredCreator | null> {
    const { manager, revision } = writing;
    await manager.update(CreatorEntity, { slug }, { published, revision });
    return this.find(writing, slug);
  }

  private async compare(query: Query, looksForRemoved: boolean): Promise<Stored> {
    await query('find known creators', findKnownSql, [looksForRemoved]);
    const removed = looksForRemoved
      ? await query<RemovedStaged>('take out removed creators', takeOutRemovedSql)
      : [];
    const [counted] = await query<Omit<Stored, 'removed'>>('compare staged creators', countSql);
    if (!counted) throw new Error('the staged creators were not counted');
    return { ...counted, removed };
  }

  /** Deletes creators and records the revision; returns how many of them existed. */
  async remove({ query, revision }: Writing, slugs: readonly string[]): Promise<number> {
    const removed = await query<{ slug: string }>('delete creators', deleteSql, [slugs]);
    await query('note deleted creators', noteDeletedSql, [removed.map(({ slug }) => slug), revision]);
    return removed.length;
  }
}

/** A writer's transaction, and the revision it sets on every row it changes. */
export interface Writing extends Transaction {
  readonly revision: string;
  /** Removals in force: none begins or ends before this transaction does. */
  readonly removals: number;
}

/** Any number that no other advisory lock of this database has. */
const writersTurn = 6;

/**
 * Hand-written: the row is changed and read in one statement. The advisory lock is released only when a commit is complete on
 * every server of a distributed catalog; the row can be locked again a moment earlier.
 */
const nextRevisionSql = `
  UPDATE catalog_state SET revision = revision + 1
  FROM (SELECT pg_advisory_xact_lock(${writersTurn})) AS turn RETURNING revision, removals`;

/** The revisions of the catalog. */
@Injectable()
export class CatalogStateRepository {
  /**
   * Takes the next revision for a transaction that changes creators. The row stays locked until the end of the
   * transaction, so that writers take turns and a revision is never visible before a smaller one: followers of the
   * revisions miss nothing.
   */
  async startWriting(transaction: Transaction): Promise<Writing> {
    const [state] = await transaction.query<Pick<Writing, 'revision' | 'removals'>>(
      'take next revision',
      nextRevisionSql,
    );
    if (!state) throw new Error('catalog_state has no row');
    return { ...transaction, ...state };
  }
}

/** The error for a slug that no creator has. */
export function noSuchCreator(): ServiceError {
  return new ServiceError('not_found', 'There is no creator with this slug.');
}
