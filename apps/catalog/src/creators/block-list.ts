import { type KeptOut, type Platform } from '#contracts';
import { type Query } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type AccountKey } from '../lookup/account-key.js';

/** A removal, as those who are refused because of it see it. */
export interface RemovalNotice {
  readonly id: string;
  readonly removed_at: Date;
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
 * The removals that keep out an expression of SQL, to be joined laterally. OFFSET lets no plan read the whole list: each key
 * takes one look-up in `removal_keys_pk`, however long the list is.
 */
export const keepsOutSql = (key: string) => `
  (SELECT removal_id FROM removal_keys WHERE hash = removal_hash(${secret}, ${key}) OFFSET 0)`;

/** Hand-written: served by `removal_keys_pk`. The removals that keep out any of these keys, the newest first. */
const findSql = `
  SELECT id, removed_at, count(*)::integer AS keys
  FROM unnest($1::text[]) AS named (key)
    JOIN removal_keys ON hash = removal_hash(${secret}, key)
    JOIN removals ON id = removal_id
  GROUP BY id ORDER BY removed_at DESC, id`;

/** What keeps removed creators out of the catalog. */
@Injectable()
export class BlockList {
  /** The removals that keep out any of these keys, with how many of them; the newest first. */
  find(query: Query, keys: readonly NamedKey[]): Promise<(RemovalNotice & { readonly keys: number })[]> {
    return query('find removals', findSql, [keys.map(({ key }) => key)]);
  }
}

/** Why a record is not stored: a sentence without its subject. */
export function removalReason({ id, removed_at }: RemovalNotice): string {
  return `removed at the creator's request on ${removed_at.toISOString().slice(0, 10)} (removal ${id})`;
}
