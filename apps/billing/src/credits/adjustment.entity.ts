import { safeInteger } from '#platform/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A change of a balance with its reason: goodwill in a lot of its own, a correction, what was taken for the refund of a lot, or credits
 * of an order that follow its money back and forth.
 */
@Entity('adjustments')
export class Adjustment {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('integer')
  credits: number;

  @Column('text')
  reason: string;

  /** Unique within the account. */
  @Column('text')
  reference: string;

  @Column('uuid', { name: 'lot_id', nullable: true })
  lotId: string | null;

  /** The balance after the adjustment. */
  @Column('bigint', { name: 'credits_remaining', transformer: safeInteger })
  creditsRemaining: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** `null` unless it follows the money of an order. */
  @Column('uuid', { name: 'order_id', nullable: true })
  orderId: string | null;

  /** The lot from which a refund took it; `null` for all others. */
  @Column('uuid', { name: 'refunded_lot_id', nullable: true })
  refundedLotId: string | null;
}
