import { type DeliveryView } from '#contracts';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Notice } from './notice.entity.js';

/** One notice to one recipient: an owner of the account, by mail, or its webhook. */
@Entity('deliveries')
export class Delivery {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'notice_id' })
  noticeId: string;

  @ManyToOne(() => Notice, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'notice_id' })
  notice: Notice;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  channel: DeliveryView['channel'];

  @Column('uuid', { name: 'person_id', nullable: true })
  personId: string | null;

  @Column('text', { default: 'waiting' })
  state: DeliveryView['state'];

  @Column('integer', { default: 0 })
  attempts: number;

  /** During an attempt, the end of its lease. */
  @Column('timestamp with time zone', { name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  /** Why the last attempt failed, shown to the owner. */
  @Column('text', { nullable: true })
  problem: string | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** The end of the lease of an attempt; past or `null` when none is in progress. */
  @Column('timestamp with time zone', { name: 'attempt_until', precision: 3, nullable: true })
  attemptUntil: Date | null;
}
