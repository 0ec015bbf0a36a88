import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The caller's own name for a request that created something. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  /** What was created, and for which account. */
  @PrimaryColumn('text')
  scope: string;

  @PrimaryColumn('text', { name: 'key_hash' })
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
