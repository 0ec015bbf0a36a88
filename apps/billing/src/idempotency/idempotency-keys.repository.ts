import { createHash } from 'node:crypto';
import { ServiceError } from '@app/contracts';
import { type Query } from '../database/query.js';

/** A request to make something, which its caller may send again. */
export interface Creation {
  /** What is made, and of whom. */
  readonly scope: string;
  readonly idempotencyKey: string;
  /** What the caller asks for: the same key with other content is a mistake. */
  readonly content: readonly string[];
  /** The id of what is made when the key is new. */
  readonly newId: string;
}

/** What an Idempotency-Key has made. */
export interface Made {
  readonly id: string;
  /** When its caller was last given something new by the key. */
  readonly answeredAt: Date;
}

interface Row {
  readonly made_id: string;
  readonly fingerprint: string;
  readonly answered_at: Date;
}

/**
 * The update of a known key writes what is there: so one statement gives the row of either, and of two requests at once the
 * second waits for the end of the first. Served by `idempotency_keys_pk`.
 */
const claimSql = `
  INSERT INTO idempotency_keys (scope, key_hash, fingerprint, made_id, answered_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (scope, key_hash) DO UPDATE SET scope = excluded.scope
  RETURNING made_id, fingerprint, answered_at`;

/**
 * Notes in the transaction what the Idempotency-Key makes, or gives what it has made before. Throws `conflict` when that was
 * asked for with other content.
 */
export async function claimIdempotencyKey(query: Query, creation: Creation, now: Date): Promise<Made> {
  const fingerprint = sha256(JSON.stringify(creation.content));
  const [row] = await query<Row>(claimSql, [
    creation.scope,
    sha256(creation.idempotencyKey),
    fingerprint,
    creation.newId,
    now,
  ]);
  if (!row) throw new Error('an Idempotency-Key gave no row');
  if (row.fingerprint !== fingerprint) {
    throw new ServiceError(
      'conflict',
      'This Idempotency-Key belongs to a request with other content; use a new one.',
    );
  }
  return { id: row.made_id, answeredAt: row.answered_at };
}

/** Notes that the key has given its caller something new; it is remembered from then on. */
export async function noteAnswer(
  query: Query,
  { scope, idempotencyKey }: Pick<Creation, 'scope' | 'idempotencyKey'>,
  now: Date,
): Promise<void> {
  await query('UPDATE idempotency_keys SET answered_at = $3 WHERE scope = $1 AND key_hash = $2', [
    scope,
    sha256(idempotencyKey),
    now,
  ]);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
