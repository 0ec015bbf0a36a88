import { sha256 } from '#platform';
import { onlyRow, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { conflict } from '../../errors.js';
import { type LockedAccounts } from '../../database/account-transactions.js';

/** A request to create something, which its caller may repeat. */
export interface Creation {
  /** The kind of resource that is created, and its account. */
  readonly scope: string;
  readonly idempotencyKey: string;
  /** The content of the request: the same key with other content is a conflict. */
  readonly content: readonly string[];
  /** The id of the new resource if the key is new. */
  readonly newId: string;
}

/** The resource that was created under an Idempotency-Key. */
export interface Made {
  readonly id: string;
  /** When the caller last received a new resource or secret by the key. */
  readonly lastReplyAt: Date;
}

/**
 * For a known key the update rewrites the stored value: so one statement returns the row in both cases, and of two concurrent requests
 * the second waits for the first. Served by `idempotency_keys_pk`.
 */
const claimSql = `
  INSERT INTO idempotency_keys (scope, key_hash, fingerprint, made_id, answered_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (scope, key_hash) DO UPDATE SET scope = excluded.scope
  RETURNING made_id AS id, fingerprint, answered_at AS "lastReplyAt"`;

/** Idempotency-Keys and what was created under them. */
@Injectable()
export class IdempotencyKeysRepository {
  /**
   * Records in the transaction what is created under the Idempotency-Key, or returns what was created under it before.
   * Throws `conflict` when that request had other content.
   */
  async claim({ query, now }: LockedAccounts, creation: Creation): Promise<Made> {
    const fingerprint = sha256(JSON.stringify(creation.content));
    const parameters = [creation.scope, sha256(creation.idempotencyKey), fingerprint, creation.newId, now];
    const [row] = await query<Made & { fingerprint: string }>('claim idempotency key', claimSql, parameters);
    if (row?.fingerprint === fingerprint) return row;
    throw conflict('This Idempotency-Key belongs to a request with other content; use a new one.');
  }

  /** Records that the caller was given something new under the key; its retention starts again. */
  async recordReply(
    { query, now }: LockedAccounts,
    { scope, idempotencyKey }: Pick<Creation, 'scope' | 'idempotencyKey'>,
  ): Promise<void> {
    const sql = 'UPDATE idempotency_keys SET answered_at = $3 WHERE scope = $1 AND key_hash = $2';
    await query('record reply', sql, [scope, sha256(idempotencyKey), now]);
  }

  /** How many keys of a scope are known. */
  async count({ query }: Queryable, scope: string): Promise<number> {
    const sql = 'SELECT count(*)::integer AS keys FROM idempotency_keys WHERE scope = $1';
    return onlyRow(await query<{ keys: number }>('count idempotency keys', sql, [scope])).keys;
  }
}
