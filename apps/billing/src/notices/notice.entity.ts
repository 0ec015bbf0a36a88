import { type NoticeKind } from '@app/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type NoticeData } from './words/notice-data.js';

/** Something that an account is told, written in the transaction of what it tells of, once for each kind and subject. */
@Entity('notices')
@Check('notices_kind_known', `kind IN ('balance_low', 'lot_expiring', 'payment_received', 'test')`)
@Unique('notices_once', ['accountId', 'kind', 'subject'])
@Index('notices_age', ['createdAt'])
export class Notice {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notices_pk' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey('accounts', { name: 'notices_account_fk' })
  accountId: string;

  @Column('text')
  kind: NoticeKind;

  /** What it is about, for example the id of a lot. */
  @Column('text')
  subject: string;

  @Column('jsonb')
  data: NoticeData;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
