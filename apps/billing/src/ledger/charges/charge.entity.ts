import { type ChargeState } from '@app/contracts';
import { safeInteger } from '@app/platform/database';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type StoredCharge } from '../rules/ledger-state.js';

/** A charge: the credits taken for one call, or refused. */
@Entity('charges')
@Check('charges_operation_known', `operation IN ('search', 'profile')`)
@Check('charges_credits_not_negative', 'credits >= 0')
@Check('charges_state_known', `state IN ('pending', 'posted', 'voided', 'refused')`)
@Check(
  'charges_refusal_known',
  `refusal IN ('insufficient_credits', 'key_revoked', 'idempotency_key_reused', 'earlier_call_pending')`,
)
@Check('charges_total_not_negative', 'total >= 0')
@Check('charges_search_details', `operation = 'search' OR (filters IS NULL AND total IS NULL)`)
@Check('charges_idempotency_whole', '(idempotency_key_hash IS NULL) = (fingerprint IS NULL)')
@Check('charges_repeat_free', 'repeat_of IS NULL OR (credits = 0 AND idempotency_key_hash IS NULL)')
@Check('charges_refusal_when_refused', `(state = 'refused') = (refusal IS NOT NULL)`)
@Check('charges_void_reason_known', `void_reason IN ('given_up', 'timed_out')`)
@Check('charges_reason_when_voided', `(state = 'voided') = (void_reason IS NOT NULL)`)
@Check('charges_balance_not_negative', 'credits_remaining >= 0')
@Check('charges_settled_unless_pending', `(state = 'pending') = (settled_at IS NULL)`)
@Index('charges_pending_of_account', ['accountId', 'pendingUntil'], { where: `state = 'pending'` })
@Index('charges_pending', ['pendingUntil'], { where: `state = 'pending'` })
@Index('charges_of_account', ['accountId', 'createdAt'])
@Index('charges_of_key', ['keyId', 'createdAt'])
@Index('charges_of_request', ['accountId', 'requestId'])
@Index('charges_idempotent', ['idempotencyKeyHash', 'createdAt'], {
  where: `idempotency_key_hash IS NOT NULL AND state IN ('pending', 'posted')`,
})
@Index('charges_refused', ['createdAt'], { where: `state = 'refused'` })
@Index('charges_free', ['createdAt'], { where: `credits = 0 AND state = 'posted'` })
export class Charge {
  /** Made by the gateway. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'charges_pk' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey('accounts', { name: 'charges_account_fk' })
  accountId: string;

  @Column('uuid', { name: 'key_id' })
  @ForeignKey('api_keys', { name: 'charges_key_fk' })
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
