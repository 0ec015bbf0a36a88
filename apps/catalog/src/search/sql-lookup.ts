import { type Query } from '#platform/database';
import { type PlatformAccount } from '../creators/creator.js';
import { keysOfAccounts } from '../lookup/keys-of-account.js';
import { type AccountKey } from '../lookup/account-key.js';

/**
 * Hand-written: the first creators of each key in the order of a search, all keys in one statement and one snapshot; served
 * by `creators_by_account`. More than one, because a service of an older version leaves the keys of a creator that it
 * changes as they were. Numbered rather than limited for each key: servers with parts of the catalog can't limit for all of them.
 */
const ofKeysSql = `
  SELECT key, slug, platforms FROM (
    SELECT key, slug, platforms, newest_updated_at,
      row_number() OVER (PARTITION BY key ORDER BY newest_updated_at DESC NULLS LAST, slug) AS place
    FROM unnest($1::text[]) AS wanted (key) JOIN creators ON account_keys @> ARRAY[key]
    WHERE published
  ) AS found
  WHERE place <= 3 ORDER BY newest_updated_at DESC NULLS LAST, slug`;

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
