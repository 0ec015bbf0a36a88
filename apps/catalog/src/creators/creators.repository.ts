import { copyFrom, type Managed, type Transaction } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { ReadReplicas } from '../database/read-replicas.js';
import { keepsOutSql, type RemovedStaged } from './block-list.js';
import { CreatorEntity } from './creator.entity.js';
import { rowColumns, type StoredCreator, storedFields } from './creator-row.js';

/** The outcome of the records of one transaction. */
export interface Stored {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Those not stored, because they are kept out. */
  readonly removed: readonly RemovedStaged[];
}

const columns = rowColumns.join(', ');
const replacements = rowColumns
  .filter((name) => name !== 'slug')
  .map((name) => `${name} = staged.${name}`)
  .join(', ');

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
  SELECT ${columns}, published AS given_published, 0 AS line FROM creators WITH NO DATA`;

const copySql = `COPY ${stagingTable} (${columns}, given_published, line) FROM STDIN`;

/**
 * `admitted`: the staged creators beside those with their slugs, without those who are `refused`, each with the newest removal.
 * A known creator with the accounts of before is not looked for in the block list: nobody stored is kept out. With `$1` false
 * it is not read at all.
 */
const admitted = `
  compared AS MATERIALIZED (
    SELECT staged.slug, line, known.slug IS NOT NULL AS is_known,
      coalesce(staged.given_published, known.published, true) AS next_published,
      known.slug IS NOT NULL AND known.content_hash = staged.content_hash
        AND known.published = coalesce(staged.given_published, known.published) AS is_same,
      CASE WHEN $1::boolean AND known.account_keys IS DISTINCT FROM staged.account_keys
        THEN array_append(staged.account_keys, 'slug/' || staged.slug) END AS keys
    FROM ${stagingTable} AS staged LEFT JOIN creators AS known USING (slug)
  ), refused AS MATERIALIZED (
    SELECT DISTINCT ON (line) line, id, removed_at
    FROM compared CROSS JOIN unnest(keys) AS key CROSS JOIN LATERAL ${keepsOutSql('key')} AS kept_out
      JOIN removals ON id = removal_id
    ORDER BY line, removed_at DESC, id
  ), admitted AS MATERIALIZED (
    SELECT * FROM compared WHERE line NOT IN (SELECT line FROM refused)
  )`;

const counts = `
  SELECT count(*) FILTER (WHERE NOT is_known)::integer AS created,
    count(*) FILTER (WHERE is_known AND NOT is_same)::integer AS updated,
    count(*) FILTER (WHERE is_same)::integer AS unchanged,
    (SELECT json_agg(refused ORDER BY line) FROM refused) AS removed
  FROM admitted`;

/** Hand-written: set-based, for a whole chunk; through `creators_pk`. */
const compareSql = `WITH ${admitted} ${counts}`;

/**
 * Hand-written: one statement for a whole chunk, through `creators_pk`. Writes new and changed creators. Writers take
 * turns, so nothing changes between the comparison and the write.
 */
const storeSql = `
  WITH ${admitted}, created AS (
    INSERT INTO creators (${columns}, published, revision, source)
    SELECT ${columns}, next_published, $2::bigint, $3::text
    FROM ${stagingTable} JOIN admitted USING (slug) WHERE NOT is_known
  ), updated AS (
    UPDATE creators SET ${replacements}, published = next_published, revision = $2::bigint,
      source = $3::text, changed_at = statement_timestamp()
    FROM ${stagingTable} AS staged JOIN admitted USING (slug)
    WHERE creators.slug = staged.slug AND is_known AND NOT is_same
  ), revived AS (
    DELETE FROM creator_deletions USING admitted
    WHERE creator_deletions.slug = admitted.slug AND NOT admitted.is_known
  ) ${counts}`;

/** Hand-written: set-based, for a whole chunk; through `creators_pk`. Those that no search finds yet, and would. */
const takeOutNewSql = `
  DELETE FROM ${stagingTable} AS staged
  USING ${stagingTable} AS same LEFT JOIN creators AS known USING (slug)
  WHERE same.slug = staged.slug AND NOT coalesce(known.published, false)
    AND coalesce(same.given_published, known.published, true)
  RETURNING staged.line`;

/** Hand-written: one statement, so that a creator is never both absent and not deleted; through both primary keys. */
const removeSql = `
  WITH removed AS (DELETE FROM creators WHERE slug = ANY($1) RETURNING slug)
  INSERT INTO creator_deletions (slug, revision)
  SELECT slug, $2::bigint FROM removed
  ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision, deleted_at = excluded.deleted_at
  RETURNING slug`;

/** Creators, written by imports and operators, and read one at a time. */
@Injectable()
export class CreatorsRepository {
  constructor(private readonly replicas: ReadReplicas) {}

  /** Reads from a read replica if there is one. */
  findOnReplica(slug: string): Promise<StoredCreator | null> {
    return this.replicas.read((on) => this.find(on, slug));
  }

  findOnPrimary(slug: string): Promise<StoredCreator | null> {
    return this.replicas.readPrimary((on) => this.find(on, slug));
  }

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
  async compareStaged({ query }: Transaction): Promise<Stored> {
    return storedOf(await query<StoredRow>('compare staged creators', compareSql, [true]));
  }

  /**
   * Stores the staged creators, with where they are from; unchanged ones are not written. The writer's lock keeps the block
   * list as it is until the end of the transaction.
   */
  async storeStaged({ query, revision, removals }: Writing, source: string | null = null): Promise<Stored> {
    const values = [removals > 0, revision, source];
    return storedOf(await query<StoredRow>('store staged creators', storeSql, values));
  }

  /** Publishes or hides a creator; `null` when there is none. */
  async setPublished(writing: Writing, slug: string, published: boolean): Promise<StoredCreator | null> {
    const { manager, revision } = writing;
    const changedAt = () => 'statement_timestamp()';
    await manager.update(CreatorEntity, { slug }, { published, revision, changedAt });
    return this.find(writing, slug);
  }

  /** Deletes creators and records the revision; returns how many of them existed. */
  async remove({ query, revision }: Writing, slugs: readonly string[]): Promise<number> {
    const removed = await query('delete creators', removeSql, [slugs, revision]);
    return removed.length;
  }
}

interface StoredRow extends Omit<Stored, 'removed'> {
  readonly removed: readonly (Omit<RemovedStaged, 'removed_at'> & { readonly removed_at: string })[] | null;
}

function storedOf([row]: readonly StoredRow[]): Stored {
  if (!row) throw new Error('the staged creators were not counted');
  const removed = row.removed ?? [];
  return { ...row, removed: removed.map((one) => ({ ...one, removed_at: new Date(one.removed_at) })) };
}

/** A writer's transaction, and the revision it sets on every row it changes. */
export interface Writing extends Transaction {
  readonly revision: string;
  /** Removals in force: none begins or ends before this transaction does. */
  readonly removals: number;
}

/** Hand-written: the row is changed and read in one statement. */
const nextRevisionSql = 'UPDATE catalog_state SET revision = revision + 1 RETURNING revision, removals';

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
