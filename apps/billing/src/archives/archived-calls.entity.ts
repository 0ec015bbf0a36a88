import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The answered calls of a day whose charges are in an archive. Their key may have been deleted. */
@Entity('archived_calls')
export class ArchivedCalls {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  /** In UTC, `YYYY-MM-DD`. */
  @PrimaryColumn('date')
  day: string;

  @PrimaryColumn('uuid', { name: 'key_id' })
  keyId: string;

  @PrimaryColumn('text')
  operation: string;

  @Column('integer')
  calls: number;

  @Column('bigint')
  credits: string;

  /** The time of the newest of them. */
  @Column('timestamp with time zone', { name: 'last_at', precision: 3 })
  lastAt: Date;
}
