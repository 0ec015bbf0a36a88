import { type Deleted, importUndoDays, type KeptOut, type Removal, removalCreatorsMax } from '#contracts';
import { sha256 } from '#platform';
import { type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { findAliases } from '../creators/creator-aliases.js';
import { type Writing } from '../creators/writing.js';
import { CreatorsRepository } from '../creators/creators.repository.js';
import { type Creator } from '../creators/creator.js';
import { creatorFields } from '../creators/creator-row.js';
import { type AccountKey } from '../lookup/account-key.js';
import { RemovalEntity } from './removal.entity.js';

/** A stored creator with a slug or an account that was named. */
export interface MatchingCreator extends Creator {
  readonly account_keys: readonly string[];
}

/**
 * Hand-written: through `creators_pk`, after `creator_accounts_pk` has found the slugs of accounts. One more than may be
 * removed.
 */
const matchingSql = `
  SELECT ${creatorFields.join(', ')}, account_keys FROM creators
  WHERE slug = ANY($1)
  ORDER BY slug LIMIT ${removalCreatorsMax + 1}`;

/** Hand-written: the database computes the hashes, as it does when it compares them. */
const keepOutSql = `
  INSERT INTO removal_keys (hash, removal_id, kind)
  SELECT DISTINCT removal_hash((SELECT removal_secret FROM catalog_state), key), $1::uuid, split_part(key, '/', 1)
  FROM unnest($2::text[]) AS named (key)`;

/**
 * Hand-written: looks up the slugs in each chunk of the imports that can be undone, through `import_changes_pk`. OFFSET lets no plan
 * read all changes.
 */
const forgetChangesSql = `
  DELETE FROM import_changes WHERE ctid = ANY(ARRAY(
    SELECT found.ctid FROM imports CROSS JOIN generate_series(0, next_seq - 1) AS chunk CROSS JOIN LATERAL (
      SELECT ctid FROM import_changes WHERE import_id = imports.id AND seq = chunk AND slug = ANY($1) OFFSET 0
    ) AS found
    WHERE started_at > statement_timestamp() - interval '${importUndoDays + 1} days'
  ))`;

const countSql = 'UPDATE catalog_state SET removals = removals + $1';

/** Served by `removals_pk`, which is the order in time, and `removal_keys_of_removal`. */
const selectSql = `
  SELECT id, removed_at, reference, note, deleted, (
    SELECT json_agg(json_build_object('by', kind, 'hash', encode(hash, 'hex')) ORDER BY kind <> 'slug', kind, hash)
    FROM removal_keys WHERE removal_id = removals.id
  ) AS kept_out
  FROM removals`;

interface Row extends Omit<Removal, 'removed_at' | 'kept_out' | 'digest'> {
  readonly removed_at: Date;
  readonly kept_out: readonly KeptOut[] | null;
}

/** Removals, and the creators that one is about. */
@Injectable()
export class RemovalsRepository {
  constructor(private readonly creators: CreatorsRepository) {}

  /** The creators with any of these slugs or accounts; at most one more than may be removed. */
  async findMatching(
    queryable: Queryable,
    slugs: readonly string[],
    accounts: readonly AccountKey[],
  ): Promise<MatchingCreator[]> {
    const owners = await this.creators.findOwners(queryable, accounts);
    const aliases = await findAliases(queryable, slugs);
    const all = [...new Set([...slugs, ...aliases.values(), ...owners.values()])];
    return queryable.query('find matching creators', matchingSql, [all]);
  }

  async add(
    { manager, query }: Writing,
    removal: Pick<RemovalEntity, 'id' | 'reference' | 'note' | 'deleted'>,
    keys: readonly string[],
  ): Promise<void> {
    await manager.insert(RemovalEntity, removal);
    await query('keep out', keepOutSql, [removal.id, keys]);
    await query('count removals', countSql, [1]);
  }

  /** Deletes what imports have kept of these creators, with which they could be undone. */
  async forgetChanges({ query }: Queryable, slugs: readonly string[]): Promise<void> {
    await query('forget changes', forgetChangesSql, [slugs]);
  }

  /** Deletes a removal and what it keeps out. */
  async delete({ manager, query }: Writing, id: string): Promise<void> {
    await manager.delete(RemovalEntity, { id });
    await query('count removals', countSql, [-1]);
  }

  async find({ query }: Queryable, id: string): Promise<Removal | null> {
    const [row] = await query<Row>('select removal', `${selectSql} WHERE id = $1`, [id]);
    return row ? toRemoval(row) : null;
  }

  /** The newest first; after that with this id. */
  async list({ query }: Queryable, limit: number, after: string | null): Promise<Removal[]> {
    const sql = `${selectSql} WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`;
    return (await query<Row>('list removals', sql, [after, limit])).map(toRemoval);
  }
}

/** The removal with its digest, which is made of the other fields in their order. */
function toRemoval({ id, removed_at, reference, note, deleted, kept_out }: Row): Removal {
  const { creators, fields, accounts } = deleted;
  const proof = {
    id,
    removed_at: removed_at.toISOString(),
    reference,
    note,
    deleted: { creators, fields, accounts },
    kept_out: (kept_out ?? []).map(({ by, hash }) => ({ by, hash })),
  };
  return { ...proof, digest: sha256(JSON.stringify(proof)) };
}

/** What the deletion of these creators deletes: which fields had a value, never the values. */
export function deletedOf(creators: readonly Creator[]): Deleted {
  const fields = creatorFields.filter((field) => creators.some((creator) => hasValue(creator[field])));
  const accounts = creators.reduce((sum, { platforms }) => sum + platforms.length, 0);
  return { creators: creators.length, fields, accounts };
}

function hasValue(value: Creator[keyof Creator]): boolean {
  return value !== null && value !== false && (typeof value === 'boolean' || value.length > 0);
}
