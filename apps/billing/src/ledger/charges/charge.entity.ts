import { type ChargeState } from '#contracts';
import { safeInteger } from '#platform/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type StoredCharge } from '../rules/ledger-state.js';

/** A charge: the credits taken for one call, or refused. */
@Entity('charges')
export class Charge {
  /** Made by the gateway. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'key_id' })
  keyId: string;

  @Column('text', { name: 'request_id' })
  requestId: string;

  @Column('text')
  operation: StoredCharge['operation'];

  @Column('integer')
  credits: number;

  @Column('text')
  state: ChargeState;

  @Column('text', { nullable: true })
  refusal: StoredCharge['refusal'];

  @Column('text', { name: 'void_reason', nullable: true })
  voidReason: StoredCharge['voidReason'];

  /** Whether the client left in the middle of the answer: posted beyond what is free on a day, else voided. */
  @Column('boolean', { name: 'is_abandoned', default: false })
  isAbandoned: boolean;

  /** The balance after the charge. */
  @Column('bigint', { name: 'credits_remaining', transformer: safeInteger })
  creditsRemaining: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Counts as voided from this instant on, unless settled before. */
  @Column('timestamp with time zone', { name: 'pending_until', precision: 3 })
  pendingUntil: Date;

  @Column('timestamp with time zone', { name: 'settled_at', precision: 3, nullable: true })
  settledAt: Date | null;

  /** The names of the filters of a search, joined by commas; `null` for a profile, and for charges before this column. */
  @Column('text', { nullable: true })
  filters: string | null;

  /** Creators that matched a search. */
  @Column('integer', { nullable: true })
  total: number | null;

  /** SHA-256 of the key's id and the caller's `Idempotency-Key`, with a charge that was paid. */
  @Column('text', { name: 'idempotency_key_hash', nullable: true })
  idempotencyKeyHash: string | null;

  /** SHA-256 of the operation and its parameters. */
  @Column('text', { nullable: true })
  fingerprint: string | null;

  /** The paid charge that this one repeats, for nothing. */
  @Column('uuid', { name: 'repeat_of', nullable: true })
  repeatOf: string | null;
}
