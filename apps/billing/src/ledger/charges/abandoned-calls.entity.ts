import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The calls of an account that were abandoned in a day (UTC), and how many it had paid in it by then. */
@Entity('abandoned_calls')
export class AbandonedCallsOfDay {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('date')
  day: string;

  /** Those that were free. */
  @Column('integer')
  free: number;

  /** Its calls that were made before `paidUntil`, and paid. */
  @Column('integer')
  paid: number;

  @Column('timestamp with time zone', { name: 'paid_until', precision: 3 })
  paidUntil: Date;
}
