import { type Queryable } from '#platform/database';

/** A removal, as those who are refused because of it see it. */
export interface RemovalNotice {
  readonly id: string;
  readonly removed_at: Date;
}

/** The key of a slug, among those of accounts: these begin with their platform. */
export function slugKey(slug: string): string {
  return `slug/${slug}`;
}

/**
 * Hand-written: set-based. OFFSET lets no plan read the whole list: each key takes one look-up in `removal_keys_pk`, however long the
 * list is.
 */
const keptOutSql = `
  SELECT DISTINCT ON (key) key, id, removed_at
  FROM unnest($1::text[]) AS named (key) CROSS JOIN LATERAL (
    SELECT removal_id FROM removal_keys
    WHERE hash = removal_hash((SELECT removal_secret FROM catalog_state), key) OFFSET 0
  ) AS kept_out JOIN removals ON id = removal_id
  ORDER BY key, removed_at DESC, id`;

/** Finds those of the keys that a removal keeps out of the catalog, each with the newest one. */
export async function findKeptOut(
  { query }: Queryable,
  keys: readonly string[],
): Promise<Map<string, RemovalNotice>> {
  const rows = await query<RemovalNotice & { key: string }>('find kept out', keptOutSql, [keys]);
  return new Map(rows.map(({ key, ...removal }) => [key, removal]));
}

/** Why a record is not stored: a sentence without its subject. */
export function removalReason({ id, removed_at }: RemovalNotice): string {
  return `removed at the creator's request on ${removed_at.toISOString().slice(0, 10)} (removal ${id})`;
}
