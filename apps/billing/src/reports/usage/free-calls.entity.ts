import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The calls of a day that cost nothing, of those whose charges have been deleted. Their key may have been deleted too. */
@Entity('free_calls')
export class FreeCalls {
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

  /** The time of the newest of them. */
  @Column('timestamp with time zone', { name: 'last_at', precision: 3 })
  lastAt: Date;
}
