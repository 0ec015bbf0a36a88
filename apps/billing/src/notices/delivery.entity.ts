import { type DeliveryView } from '@app/contracts';
import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Notice } from './notice.entity.js';

/** One notice to one recipient: an owner of the account, by mail, or its webhook. */
@Entity('deliveries')
@Check('deliveries_channel_known', `channel IN ('mail', 'webhook')`)
@Check('deliveries_state_known', `state IN ('waiting', 'delivered', 'given_up')`)
@Check('deliveries_person_of_mail', `(channel = 'mail') = (person_id IS NOT NULL)`)
@Check('deliveries_waiting_due', `(state = 'waiting') = (next_attempt_at IS NOT NULL)`)
@Index('deliveries_of_notice', ['noticeId'])
@Index('deliveries_of_account', ['accountId', 'createdAt'])
@Index('deliveries_of_person', ['personId'], { where: 'person_id IS NOT NULL' })
@Index('deliveries_waiting', ['channel', 'nextAttemptAt'], { where: `state = 'waiting'` })
@Index('deliveries_in_progress', ['accountId', 'channel'], { where: 'attempt_until IS NOT NULL' })
export class Delivery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'deliveries_pk' })
  id: string;

  @Column('uuid', { name: 'notice_id' })
  noticeId: string;

  @ManyToOne(() => Notice, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'notice_id', foreignKeyConstraintName: 'deliveries_notice_fk' })
  notice: Notice;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey('accounts', { name: 'deliveries_account_fk' })
  accountId: string;

  @Column('text')
  channel: DeliveryView['channel'];

  @Column('uuid', { name: 'person_id', nullable: true })
  @ForeignKey('people', { name: 'deliveries_person_fk' })
  personId: string | null;

  @Column('text', { default: 'waiting' })
  state: DeliveryView['state'];

  @Column('integer', { default: 0 })
  attempts: number;

  /** Also the end of the lease of an attempt that is under way. */
  @Column('timestamp with time zone', { name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  /** Why the last attempt has failed, in words for the owner. */
  @Column('text', { nullable: true })
  problem: string | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** The end of the lease of an attempt; earlier, or `null`: none is in progress. */
  @Column('timestamp with time zone', { name: 'attempt_until', precision: 3, nullable: true })
  attemptUntil: Date | null;
}
