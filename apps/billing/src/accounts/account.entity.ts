import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A customer: who buys credits, holds keys and is charged. Every transaction that changes anything of an account locks
 * this row.
 */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  email: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** The network from which it was opened by sign-up (`storedNetwork`); `null`: made by an operator, or by an older version. */
  @Column({ type: 'text', name: 'signed_up_from', nullable: true, collation: 'C' })
  signedUpFrom: string | null;

  /** When the sweep next looks whether it is unused; `null`: never, because an operator made it or it has had credits. */
  @Column('timestamp with time zone', { name: 'next_check_at', precision: 3, nullable: true })
  nextCheckAt: Date | null;

  /**
   * Since when credits of a payment whose dispute was lost have not been recovered; `null`: none are, or a purchase or an operator
   * has made up for it. Its keys are refused where `STOP_ACCOUNTS_AFTER_LOST_DISPUTES` says so.
   */
  @Column('timestamp with time zone', { name: 'owes_since', precision: 3, nullable: true })
  owesSince: Date | null;

  /** It is shown only in sessions that were opened through the OpenID provider, or by an operator's link. */
  @Column('boolean', { name: 'provider_only', default: false })
  providerOnly: boolean;

  /** It is shown for so long after a sign-in; `null`: as long as the session lasts. */
  @Column('integer', { name: 'session_hours', nullable: true })
  sessionHours: number | null;
}
