import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type EventSubject } from '../provider/read-event.js';

/** Where an event came from: sent by Stripe, or found in the list of its events. */
export type EventSource = 'webhook' | 'reconciliation';

/** `ignored`: it is about no order of ours. */
export type EventState = 'waiting' | 'done' | 'ignored';

/** An event of Stripe that was signed or listed, and concerns a payment. */
@Entity('payment_events')
export class PaymentEvent {
  /** Stripe's own. */
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  type: string;

  @Column('text', { name: 'subject_kind' })
  subjectKind: EventSubject['kind'];

  @Column('text', { name: 'subject_id' })
  subjectId: string;

  @Column('text')
  source: EventSource;

  @Column('text', { default: 'waiting' })
  state: EventState;

  @Column('integer', { default: 0 })
  attempts: number;

  @Column('timestamp with time zone', { name: 'received_at', precision: 3 })
  receivedAt: Date;

  /** Also the end of the lease of an attempt that is under way. */
  @Column('timestamp with time zone', { name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  /** The end of the lease of an attempt; earlier, or `null`: none is in progress. */
  @Column('timestamp with time zone', { name: 'attempt_until', precision: 3, nullable: true })
  attemptUntil: Date | null;

  @Column('timestamp with time zone', { name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;

  /** Why the last attempt has failed, in words for operators. */
  @Column('text', { nullable: true })
  problem: string | null;
}

/** How far the events of Stripe have been read: one row. */
@Entity('reconciliation_cursor')
export class ReconciliationCursor {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  /** Hash of the key that the event was read with; `null`: never read. */
  @Column('text', { name: 'key_hash', nullable: true })
  keyHash: string | null;

  @Column('timestamp with time zone', { name: 'read_until', precision: 3, nullable: true })
  readUntil: Date | null;
}
