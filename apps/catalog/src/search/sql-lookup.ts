import { type Query } from '@app/platform/database';
import { type PlatformAccount } from '../creators/creator.js';
import { keysOfAccounts } from '../lookup/keys-of-account.js';
import { type AccountKey } from '../lookup/account-key.js';

/**
 * Hand-written: the first creators of each key in the order of a search, all keys in one statement and one snapshot; served
 * by `creators_of_account`. More than one, because a service of an older version leaves the keys of a creator that it
 * changes as they were. `OFFSET 0` keeps the two steps apart: PostgreSQL does not know how rare a key is, and would otherwise
 * scan all creators in the order of a search until it has found three.
 */
const ofKeysSql = `
  SELECT wanted.key, found.slug, found.platforms
  FROM unnest($1::text[]) AS wanted (key)
    CROSS JOIN LATERAL (
      SELECT slug, platforms, newest_updated_at FROM (
        SELECT slug, platforms, newest_updated_at FROM creators
        WHERE published AND account_keys @> ARRAY[wanted.key] OFFSET 0
      ) AS with_key
      ORDER BY newest_updated_at DESC NULLS LAST, slug LIMIT 3
    ) AS found
  ORDER BY found.newest_updated_at DESC NULLS LAST, found.slug`;

interface Row {
  readonly key: AccountKey;
  readonly slug: string;
  readonly platforms: PlatformAccount[];
}

/** The creator with each of these keys that any creator has. */
export async function findByKeys(
  query: Query,
  keys: readonly AccountKey[],
): Promise<ReadonlyMap<AccountKey, string>> {
  if (keys.length === 0) return new Map();
  const rows = await query<Row>('look up accounts', ofKeysSql, [[...new Set(keys)]]);
  const found = new Map<AccountKey, string>();
  for (const { key, slug, platforms } of rows) {
    if (!found.has(key) && keysOfAccounts(platforms).includes(key)) found.set(key, slug);
  }
  return found;
}
