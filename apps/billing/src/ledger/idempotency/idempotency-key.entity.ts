import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'idempotency_keys_pk';

/** The caller's own name for a request that created something. */
@Entity('idempotency_keys')
@Check('idempotency_keys_hash_shape', `key_hash ~ '^[0-9a-f]{64}$'`)
@Check('idempotency_keys_fingerprint_shape', `fingerprint ~ '^[0-9a-f]{64}$'`)
@Index('idempotency_keys_age', ['answeredAt'])
export class IdempotencyKey {
  /** What was created, and for which account. */
  @PrimaryColumn('text', { primaryKeyConstraintName })
  scope: string;

  @PrimaryColumn('text', { name: 'key_hash', primaryKeyConstraintName })
  keyHash: string;

  /** The hash of the request's content. */
  @Column('text')
  fingerprint: string;

  @Column('uuid', { name: 'made_id' })
  madeId: string;

  /** When the caller was last given something new. */
  @Column('timestamp with time zone', { name: 'answered_at', precision: 3 })
  answeredAt: Date;
}
