import { type KeptOut, type Platform } from '@app/contracts';
import { type Query, type Transaction } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { stagingTable, type Writing } from './creators.repository.js';
import { type AccountKey } from '../lookup/account-key.js';

/** A removal, as those who are refused because of it see it. */
export interface RemovalNotice {
  readonly id: string;
  readonly removed_at: Date;
}

/** A staged creator that was removed at their request. */
export interface RemovedStaged extends RemovalNotice {
  readonly line: number;
}

/** What is kept out: a slug, or a name of an account. */
export interface NamedKey {
  readonly kind: KeptOut['by'];
  readonly key: string;
}

export function slugKey(slug: string): NamedKey {
  return { kind: 'slug', key: `slug/${slug}` };
}

export function accountKey(key: AccountKey): NamedKey {
  return { kind: key.slice(0, key.indexOf('/')) as Platform, key };
}

const secret = '(SELECT removal_secret FROM catalog_state)';

/**
 * Hand-written: set-based, for a whole chunk; served by `removal_keys_pk`. Deletes the staged creators whose slug or any of
 * whose accounts is kept out, and returns each with its newest removal.
 */
const takeOutSql = `
  WITH named AS (
    SELECT line, 'slug/' || slug AS key FROM ${stagingTable}
    UNION ALL
    SELECT line, unnest(account_keys) FROM ${stagingTable}
  ), found AS (
    SELECT DISTINCT ON (line) line, removals.id, removals.removed_at
    FROM named
      JOIN removal_keys ON hash = removal_hash(${secret}, key)
      JOIN removals ON removals.id = removal_id
    ORDER BY line, removals.removed_at DESC, removals.id
  ), taken AS (
    DELETE FROM ${stagingTable} AS staged USING found WHERE staged.line = found.line
  )
  SELECT line, id, removed_at FROM found ORDER BY line`;

/** Hand-written: served by `removal_keys_pk`. The removals that keep out any of these keys, the newest first. */
const findSql = `
  SELECT id, removed_at, count(*)::integer AS keys
  FROM unnest($1::text[]) AS named (key)
    JOIN removal_keys ON hash = removal_hash(${secret}, key)
    JOIN removals ON id = removal_id
  GROUP BY id ORDER BY removed_at DESC, id`;

/** Keeps removed creators out of the catalog. */
@Injectable()
export class BlockList {
  /**
   * Takes removed creators out of those staged. Nothing is asked while nobody is removed; the writer's lock keeps the list as it
   * is until the end of the transaction.
   */
  async takeOut(writing: Writing): Promise<RemovedStaged[]> {
    return writing.removals === 0 ? [] : this.takeOutNow(writing);
  }

  /** The same at this moment, without a lock. */
  takeOutNow({ query }: Transaction): Promise<RemovedStaged[]> {
    return query<RemovedStaged>('take out removed creators', takeOutSql);
  }

  /** The removals that keep out any of these keys, with how many of them; the newest first. */
  find(query: Query, keys: readonly NamedKey[]): Promise<(RemovalNotice & { readonly keys: number })[]> {
    return query('find removals', findSql, [keys.map(({ key }) => key)]);
  }
}

/** Why a record is not stored: a sentence without its subject. */
export function removalReason({ id, removed_at }: RemovalNotice): string {
  return `removed at the creator's request on ${removed_at.toISOString().slice(0, 10)} (removal ${id})`;
}
