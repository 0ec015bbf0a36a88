import { type AuthenticatedKey, ServiceError } from '@app/contracts';
import { type Query } from '../database/query.js';

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly prefix: string;
  readonly active: boolean;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

/**
 * The last use is the newest charge of the key that was not refused, found through `charges_of_key`: there is no second place to
 * keep it. Refused ones are forgotten after a minute, and the last use would go back with them.
 */
const keysSql = `
  SELECT id, name, hash, prefix, active, created_at,
    (SELECT max(charges.created_at) FROM charges WHERE charges.key_id = api_keys.id AND state <> 'refused') AS last_used_at
  FROM api_keys
  WHERE account_id = $1 AND deleted_at IS NULL`;

/** The keys with these hashes; `null` for one that is unknown, deleted or switched off. */
export async function findUsableKeys(
  query: Query,
  hashes: readonly string[],
): Promise<(AuthenticatedKey | null)[]> {
  const rows = await query<AuthenticatedKey & { readonly hash: string }>(
    `SELECT hash, id AS key_id, account_id, prefix FROM api_keys
     WHERE hash = ANY($1) AND active AND deleted_at IS NULL`,
    [hashes],
  );
  const found = new Map(rows.map(({ hash, ...key }) => [hash, key]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

export function keysOfAccount(query: Query, accountId: string): Promise<KeyRow[]> {
  return query<KeyRow>(`${keysSql} ORDER BY created_at, id`, [accountId]);
}

/** Throws `not_found`, for a deleted key too. */
export async function findKey(query: Query, accountId: string, keyId: string): Promise<KeyRow> {
  const row = await findKeyIfAny(query, accountId, keyId);
  if (!row) throw noSuchKey();
  return row;
}

/** `undefined` for a deleted key too. */
export async function findKeyIfAny(
  query: Query,
  accountId: string,
  keyId: string,
): Promise<KeyRow | undefined> {
  const [row] = await query<KeyRow>(`${keysSql} AND id = $2`, [accountId, keyId]);
  return row;
}

/** The slots that are taken; each live key of an account has one of five, which makes a sixth impossible. */
export async function takenSlots(query: Query, accountId: string): Promise<number[]> {
  const rows = await query<{ slot: number }>(
    'SELECT slot FROM api_keys WHERE account_id = $1 AND deleted_at IS NULL',
    [accountId],
  );
  return rows.map(({ slot }) => slot);
}

export interface NewKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly hash: string;
  readonly prefix: string;
  readonly slot: number;
}

export async function insertKey(query: Query, key: NewKey, now: Date): Promise<void> {
  await query(
    `INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [key.id, key.accountId, key.name, key.hash, key.prefix, key.slot, now],
  );
}

export async function changeKey(
  query: Query,
  keyId: string,
  change: { readonly name?: string | undefined; readonly active?: boolean | undefined },
): Promise<void> {
  await query('UPDATE api_keys SET name = COALESCE($2, name), active = COALESCE($3, active) WHERE id = $1', [
    keyId,
    change.name ?? null,
    change.active ?? null,
  ]);
}

export async function wasDeleted(query: Query, keyId: string): Promise<boolean> {
  const rows = await query('SELECT FROM api_keys WHERE id = $1 AND deleted_at IS NOT NULL', [keyId]);
  return rows.length > 0;
}

/** Replaces the secret of a key; the previous one is no longer accepted. */
export async function replaceSecret(
  query: Query,
  keyId: string,
  hash: string,
  prefix: string,
): Promise<void> {
  await query('UPDATE api_keys SET hash = $2, prefix = $3 WHERE id = $1', [keyId, hash, prefix]);
}

/** Marks a key as deleted, unless it is already, and gives its hash. Throws `not_found`. */
export async function markDeleted(
  query: Query,
  accountId: string,
  keyId: string,
  now: Date,
): Promise<string> {
  const [row] = await query<{ hash: string }>(
    `UPDATE api_keys SET deleted_at = COALESCE(deleted_at, $3) WHERE account_id = $1 AND id = $2 RETURNING hash`,
    [accountId, keyId, now],
  );
  if (!row) throw noSuchKey();
  return row.hash;
}

function noSuchKey(): ServiceError {
  return new ServiceError('not_found', 'There is no key with this id in the account.');
}
