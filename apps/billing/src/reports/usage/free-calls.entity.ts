import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'free_calls_pk';

/** The calls of a day that cost nothing, of those whose charges have been deleted. Their key may have been deleted too. */
@Entity('free_calls')
@Check('free_calls_operation_known', `operation IN ('search', 'profile')`)
@Check('free_calls_positive', 'calls > 0')
@Index('free_calls_age', ['day'])
@Index('free_calls_of_key', ['keyId', 'lastAt'])
export class FreeCalls {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName })
  @ForeignKey('accounts', { name: 'free_calls_account_fk' })
  accountId: string;

  /** In UTC, `YYYY-MM-DD`. */
  @PrimaryColumn('date', { primaryKeyConstraintName })
  day: string;

  @PrimaryColumn('uuid', { name: 'key_id', primaryKeyConstraintName })
  keyId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName })
  operation: string;

  @Column('integer')
  calls: number;

  /** The time of the newest of them. */
  @Column('timestamp with time zone', { name: 'last_at', precision: 3 })
  lastAt: Date;
}
