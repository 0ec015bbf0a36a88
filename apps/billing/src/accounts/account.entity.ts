import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer, who buys credits, holds keys and is charged. Every transaction that changes data of an account locks this row. */
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

  /** The network from which it was opened by sign-up in the last 24 hours (`storedNetwork`), which limits sign-ups; else `null`. */
  @Column({ type: 'text', name: 'signed_up_from', nullable: true, collation: 'C' })
  signedUpFrom: string | null;

  /** When the sweep next checks whether it is unused; `null`: never, because an operator created it or it has had credits. */
  @Column('timestamp with time zone', { name: 'next_check_at', precision: 3, nullable: true })
  nextCheckAt: Date | null;

  /** Since when operators have suspended it: its keys are refused, and it can't buy; `null`: it is not suspended. */
  @Column('timestamp with time zone', { name: 'suspended_at', precision: 3, nullable: true })
  suspendedAt: Date | null;

  /** For operators; its members don't see it. */
  @Column('text', { name: 'suspension_reason', nullable: true })
  suspensionReason: string | null;

  /** When it was closed, which also suspends it permanently; `null`: it is not closed. */
  @Column('timestamp with time zone', { name: 'closed_at', precision: 3, nullable: true })
  closedAt: Date | null;

  /** The account's customer at Stripe, to whom invoices are made out; `null`: none yet. Stripe may have deleted it since. */
  @Column('text', { name: 'stripe_customer_id', nullable: true })
  stripeCustomerId: string | null;
}
