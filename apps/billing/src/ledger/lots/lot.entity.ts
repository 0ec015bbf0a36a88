import { type LotOrigin } from '#contracts';
import { safeInteger } from '#platform/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The credits of one purchase, grant or goodwill adjustment, with their own expiry. Only the trigger on entries changes
 * what remains.
 */
@Entity('lots')
export class Lot {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  pack: LotOrigin;

  /** `null` for goodwill, which has its adjustment. */
  @Column('text', { nullable: true })
  reference: string | null;

  @Column('integer')
  credits: number;

  @Column('integer', { default: 0 })
  remaining: number;

  @Column('bigint', { name: 'price_cents', transformer: safeInteger })
  priceCents: number;

  @Column('timestamp with time zone', { name: 'purchased_at', precision: 3 })
  purchasedAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** `false` once the lot has expired and its remaining credits are written off. */
  @Column('boolean', { name: 'is_open', default: true })
  isOpen: boolean;
}
