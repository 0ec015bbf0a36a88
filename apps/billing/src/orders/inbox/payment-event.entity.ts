import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type EventSubject } from '../provider/read-event.js';

/** Who told of an event: Stripe itself, or the list of its events. */
export type EventSource = 'webhook' | 'reconciliation';

/** What became of an event. `ignored`: what it is about is none of ours. `given_up`: it failed for three days. */
export type EventState = 'waiting' | 'done' | 'ignored' | 'given_up';

/** An event of Stripe that was signed or listed, and concerns a payment. */
@Entity('payment_events')
@Check('payment_events_subject_known', `subject_kind IN ('session', 'payment', 'fraud_warning')`)
@Check('payment_events_source_known', `source IN ('webhook', 'reconciliation')`)
@Check('payment_events_state_known', `state IN ('waiting', 'done', 'ignored', 'given_up')`)
@Check(
  'payment_events_lengths',
  'length(id) <= 255 AND length(type) <= 255 AND length(subject_id) <= 255 AND length(problem) <= 300',
)
@Check(
  'payment_events_waiting_due',
  `(state = 'waiting') = (next_attempt_at IS NOT NULL) AND (state = 'waiting') = (ended_at IS NULL)`,
)
@Index('payment_events_due', ['nextAttemptAt'], { where: `state = 'waiting'` })
@Index('payment_events_of_subject', ['subjectId', 'subjectKind'], { where: `state = 'waiting'` })
@Index('payment_events_waiting', ['receivedAt'], { where: `state = 'waiting'` })
@Index('payment_events_age', ['endedAt'], { where: 'ended_at IS NOT NULL' })
export class PaymentEvent {
  /** Stripe's own. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'payment_events_pk' })
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

  /** Or when an operator last had it tried again. */
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
