import { createHash } from 'node:crypto';
import { ServiceError } from '@app/contracts';
import { TransactionRunner } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

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

/** As RETURNING gives it. */
interface ClaimedRow {
  readonly made_id: string;
  readonly fingerprint: string;
  readonly answered_at: Date;
}

/** Hand-written: the sweep deletes a batch in one statement, served by `idempotency_keys_age`. */
const deleteOldSql = `
  WITH deleted AS (
    DELETE FROM idempotency_keys
    WHERE (scope, key_hash) IN (
      SELECT scope, key_hash FROM idempotency_keys
      WHERE answered_at <= (SELECT ledger_now()) - interval '24 hours'
      ORDER BY answered_at LIMIT $1
    )
    RETURNING 1
  )
  SELECT count(*)::integer AS deleted FROM deleted`;

/** What was made under which Idempotency-Key. */
@Injectable()
export class IdempotencyKeysRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /**
   * Notes in the transaction what the Idempotency-Key makes, or gives what it has made before. Throws `conflict` when that was
   * asked for with other content.
   */
  async claim({ manager, now }: LockedAccounts, creation: Creation): Promise<Made> {
    const fingerprint = sha256(JSON.stringify(creation.content));
    // The update of a known key writes what is there: so one statement gives the row of either, and of two requests at once
    // the second waits for the end of the first.
    const claimed = await manager
      .createQueryBuilder()
      .insert()
      .into(IdempotencyKey)
      .values({ ...keyOf(creation), fingerprint, madeId: creation.newId, answeredAt: now })
      .orUpdate(['scope'], ['scope', 'key_hash'])
      .returning(['madeId', 'fingerprint', 'answeredAt'])
      .execute();
    const [row] = claimed.raw as ClaimedRow[];
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
  async noteAnswer(
    { manager, now }: LockedAccounts,
    creation: Pick<Creation, 'scope' | 'idempotencyKey'>,
  ): Promise<void> {
    await manager.update(IdempotencyKey, keyOf(creation), { answeredAt: now });
  }

  /** Forgets at most `max` of those whose caller was last answered 24 h ago; resolves to how many. */
  async deleteOld(max: number): Promise<number> {
    const { query } = this.transactions;
    const [row] = await query<{ deleted: number }>('delete idempotency keys', deleteOldSql, [max]);
    return row?.deleted ?? 0;
  }
}

function keyOf({ scope, idempotencyKey }: Pick<Creation, 'scope' | 'idempotencyKey'>) {
  return { scope, keyHash: sha256(idempotencyKey) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
