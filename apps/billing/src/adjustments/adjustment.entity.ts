import { safeInteger } from '@app/platform';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** Credits given as goodwill, in a lot of their own, or taken back as a correction. */
@Entity('adjustments')
@Check('adjustments_credits_not_zero', 'credits <> 0')
@Check('adjustments_reason_length', 'char_length(reason) BETWEEN 1 AND 500')
@Check('adjustments_reference_length', 'char_length(reference) BETWEEN 1 AND 200')
@Check('adjustments_balance_not_negative', 'credits_remaining >= 0')
@Check('adjustments_lot_when_goodwill', '(credits > 0) = (lot_id IS NOT NULL)')
@Unique('adjustments_reference_unique', ['accountId', 'reference'])
export class Adjustment {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'adjustments_pk' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey('accounts', { name: 'adjustments_account_fk' })
  accountId: string;

  @Column('integer')
  credits: number;

  @Column('text')
  reason: string;

  @Column('text')
  reference: string;

  @Column('uuid', { name: 'lot_id', nullable: true })
  @ForeignKey('lots', { name: 'adjustments_lot_fk' })
  lotId: string | null;

  /** The balance after the adjustment. */
  @Column('bigint', { name: 'credits_remaining', transformer: safeInteger })
  creditsRemaining: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
