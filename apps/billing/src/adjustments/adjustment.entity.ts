import { safeInteger } from '@app/platform/database';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/**
 * Credits given as goodwill, in a lot of their own, or taken back as a correction; or those of an order's lot that go, and
 * come back, with the money.
 */
@Entity('adjustments')
@Check('adjustments_credits_not_zero', 'credits <> 0')
@Check('adjustments_reason_length', 'char_length(reason) BETWEEN 1 AND 500')
@Check('adjustments_reference_length', 'char_length(reference) BETWEEN 1 AND 200')
@Check('adjustments_balance_not_negative', 'credits_remaining >= 0')
@Check(
  'adjustments_lot_when_goodwill_or_order',
  'CASE WHEN order_id IS NULL THEN (credits > 0) = (lot_id IS NOT NULL) ELSE lot_id IS NOT NULL END',
)
@Unique('adjustments_reference_unique', ['accountId', 'reference'])
@Index('adjustments_of_order', ['orderId'], { where: 'order_id IS NOT NULL' })
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

  /** `null` for those of operators. */
  @Column('uuid', { name: 'order_id', nullable: true })
  @ForeignKey('orders', { name: 'adjustments_order_fk' })
  orderId: string | null;
}
