import { sha256 } from '#platform';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { conflict } from '../../errors.js';
import { type LockedAccounts } from '../../database/account-transactions.js';

/** The caller's own name for a request that created something. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  /** The kind of resource that was created, and its account. */
  @PrimaryColumn('text')
  scope: string;

  @PrimaryColumn('text', { name: 'key_hash' })
  keyHash: string;

  /** The hash of the request's content. */
  @Column('text')
  fingerprint: string;

  @Column('uuid', { name: 'made_id' })
  madeId: string;

  /** When the caller last received a new resource or secret. */
  @Column('timestamp with time zone', { name: 'answered_at', precision: 3 })
  lastReplyAt: Date;
}

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

/** A claimed row as RETURNING gives it. */
interface ClaimedRow {
  readonly made_id: string;
  readonly fingerprint: string;
  readonly answered_at: Date;
}

/** Idempotency-Keys and what was created under them. */
@Injectable()
export class IdempotencyKeysRepository {
  /**
   * Records in the transaction what is created under the Idempotency-Key, or returns what was created under it before.
   * Throws `conflict` when that request had other content.
   */
  async claim({ manager, now }: LockedAccounts, creation: Creation): Promise<Made> {
    const fingerprint = sha256(JSON.stringify(creation.content));
    // For a known key, the update rewrites the stored values: so one statement returns the row in both cases, and of
    // two concurrent requests the second waits for the first.
    const claimed = await manager
      .createQueryBuilder()
      .insert()
      .into(IdempotencyKey)
      .values({ ...keyOf(creation), fingerprint, madeId: creation.newId, lastReplyAt: now })
      .orUpdate(['scope'], ['scope', 'key_hash'])
      .returning(['madeId', 'fingerprint', 'lastReplyAt'])
      .execute();
    const [row] = claimed.raw as ClaimedRow[];
    if (!row) throw new Error('the upsert of an Idempotency-Key returned no row');
    if (row.fingerprint !== fingerprint) {
      throw conflict('This Idempotency-Key belongs to a request with other content; use a new one.');
    }
    return { id: row.made_id, lastReplyAt: row.answered_at };
  }

  /** Records that the caller was given something new under the key; its retention starts again. */
  async recordReply(
    { manager, now }: LockedAccounts,
    creation: Pick<Creation, 'scope' | 'idempotencyKey'>,
  ): Promise<void> {
    await manager.update(IdempotencyKey, keyOf(creation), { lastReplyAt: now });
  }
}

function keyOf({ scope, idempotencyKey }: Pick<Creation, 'scope' | 'idempotencyKey'>) {
  return { scope, keyHash: sha256(idempotencyKey) };
}
