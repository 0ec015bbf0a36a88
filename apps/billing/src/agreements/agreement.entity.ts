import { safeInteger } from '@app/platform/database';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A standing order for a monthly Enterprise lot. */
@Entity('agreements')
@Check('agreements_credits_min', 'credits >= 10000')
@Check('agreements_price_positive', 'price_cents > 0')
@Check('agreements_grants_positive', 'grants >= 0')
@Check('agreements_due_until_ended', '(ended_at IS NULL) = (next_due_at IS NOT NULL)')
@Index('agreements_one_running', ['accountId'], { unique: true, where: 'ended_at IS NULL' })
@Index('agreements_of_account', ['accountId'])
@Index('agreements_due', ['nextDueAt'], { where: 'ended_at IS NULL' })
export class Agreement {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'agreements_pk' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey('accounts', { name: 'agreements_account_fk' })
  accountId: string;

  @Column('integer')
  credits: number;

  @Column('bigint', { name: 'price_cents', transformer: safeInteger })
  priceCents: number;

  @Column('timestamp with time zone', { name: 'starts_at', precision: 3 })
  startsAt: Date;

  /** Due dates that have been granted. */
  @Column('integer', { default: 0 })
  grants: number;

  @Column('timestamp with time zone', { name: 'next_due_at', precision: 3, nullable: true })
  nextDueAt: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;
}
