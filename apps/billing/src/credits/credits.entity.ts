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

  /** Identifies the adjustment within the account. */
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

  /** The refunded lot from which the adjustment took credits; `null` for other adjustments. */
  @Column('uuid', { name: 'refunded_lot_id', nullable: true })
  refundedLotId: string | null;
}

/** A standing order for a monthly Enterprise lot. */
@Entity('agreements')
export class Agreement {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
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

  /** `null` once the agreement has ended. */
  @Column('timestamp with time zone', { name: 'next_due_at', precision: 3, nullable: true })
  nextDueAt: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;
}

/** The refund of a lot that was not bought by card. Its credits are taken back by adjustments. */
@Entity('lot_refunds')
export class LotRefund {
  @PrimaryColumn('uuid', { name: 'lot_id' })
  lotId: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  reason: string;

  /** Unique within the account. */
  @Column('text')
  reference: string;

  @Column('integer', { name: 'credits_taken_back' })
  creditsTakenBack: number;

  /** The rest of what the lot once had; a voided charge may still return some of it to the lot. */
  @Column('integer', { name: 'credits_not_recovered' })
  creditsNotRecovered: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
