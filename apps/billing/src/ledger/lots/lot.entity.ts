import { type LotOrigin } from '@app/contracts';
import { safeInteger } from '@app/platform/database';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/**
 * The credits of one purchase, grant or goodwill adjustment, with their own expiry. Changed only by the trigger on
 * entries.
 */
@Entity('lots')
@Check('lots_pack_known', `pack IN ('trial', 'builder', 'scale', 'enterprise', 'adjustment')`)
@Check('lots_reference_length', 'char_length(reference) BETWEEN 1 AND 200')
@Check('lots_reference_unless_adjustment', `(pack = 'adjustment') = (reference IS NULL)`)
@Check('lots_credits_positive', 'credits > 0')
@Check('lots_remaining_range', 'remaining BETWEEN 0 AND credits')
@Check('lots_price_not_negative', 'price_cents >= 0')
@Check('lots_lifetime', `expires_at - purchased_at = interval '30 days'`)
@Unique('lots_reference_unique', ['accountId', 'reference'])
@Unique('lots_account_unique', ['id', 'accountId'])
@Index('lots_of_account', ['accountId', 'expiresAt'])
@Index('lots_to_expire', ['expiresAt'], { where: 'remaining > 0' })
export class Lot {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'lots_pk' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey('accounts', { name: 'lots_account_fk' })
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
}
