import { type NoticeKind } from '@app/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type NoticeData } from './notice-content.js';

/** A message to an account, written in the transaction of what it is about, once for each kind and subject. */
@Entity('notices')
export class Notice {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
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
