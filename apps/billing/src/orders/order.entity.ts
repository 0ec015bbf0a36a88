import { type CardPack, type OrderResolution, type OrderState } from '@app/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** A pack that somebody wants to pay by card, what became of it, and what went back later. */
@Entity('orders')
@Check('orders_pack_known', `pack IN ('trial', 'builder', 'scale')`)
@Check('orders_credits_positive', 'credits > 0')
@Check('orders_price_positive', 'price_cents > 0')
@Check(
  'orders_state_known',
  `state IN ('open', 'processing', 'in_review', 'granted', 'refunded', 'expired', 'failed')`,
)
@Check(
  'orders_paid_whole',
  `(subtotal_cents IS NULL) = (total_cents IS NULL) AND (discount_cents IS NULL) = (total_cents IS NULL)
    AND (tax_cents IS NULL) = (total_cents IS NULL)`,
)
@Check(
  'orders_granted_whole',
  `(state = 'granted') = (lot_id IS NOT NULL) AND (lot_id IS NULL) = (granted_at IS NULL)`,
)
@Check(
  'orders_returned_range',
  `returned_cents BETWEEN 0 AND COALESCE(total_cents, price_cents)
    AND (returned_cents = 0 OR state IN ('in_review', 'granted', 'refunded'))`,
)
@Check('orders_taken_back_range', 'credits_taken_back BETWEEN 0 AND credits')
@Check(
  'orders_not_recovered_rest',
  `credits_not_recovered = CASE WHEN state = 'granted' AND COALESCE(total_cents, price_cents) > 0
    THEN GREATEST(0, credits::bigint * returned_cents / COALESCE(total_cents, price_cents) - credits_taken_back)
    ELSE 0 END`,
)
@Check(
  'orders_problem_whole',
  `(problem IS NULL) = (problem_at IS NULL) AND (problem IS NULL) = (problem_sessions = '{}')
    AND (resolution IS NULL) = (resolved_at IS NULL) AND (resolution IS NULL OR problem IS NOT NULL)`,
)
@Check('orders_resolution_known', `resolution IN ('granted', 'refunded')`)
@Check('orders_review_has_problem', `state <> 'in_review' OR (problem IS NOT NULL AND resolution IS NULL)`)
@Check('orders_attempts_positive', 'checkout_attempts > 0')
@ForeignKey('lots', ['lotId', 'accountId'], ['id', 'accountId'], { name: 'orders_lot_fk' })
@Unique('orders_checkout_session_unique', ['checkoutSessionId'])
@Unique('orders_payment_intent_unique', ['paymentIntentId'])
@Unique('orders_lot_unique', ['lotId'])
@Index('orders_of_account', ['accountId', 'orderedAt', 'id'])
@Index('orders_page', ['orderedAt', 'id'])
@Index('orders_unpaid', ['checkedAt'], { where: `state IN ('open', 'processing')` })
@Index('orders_ended', ['orderedAt'], { where: `state IN ('expired', 'failed')` })
@Index('orders_not_recovered', ['grantedAt'], { where: 'credits_not_recovered > 0' })
@Index('orders_to_review', ['problemAt'], { where: 'problem IS NOT NULL AND resolution IS NULL' })
@Index('orders_warned_of', ['fraudWarningAt'], { where: 'fraud_warning_at IS NOT NULL' })
@Index('orders_returns_pending', ['checkedAt'], { where: 'returns_pending' })
export class Order {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'orders_pk' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey('accounts', { name: 'orders_account_fk' })
  accountId: string;

  /** The member who ordered it; no foreign key, because the order stays when they leave. */
  @Column('uuid', { name: 'person_id' })
  personId: string;

  @Column('text')
  pack: CardPack;

  @Column('integer')
  credits: number;

  @Column('integer', { name: 'price_cents' })
  priceCents: number;

  @Column('text')
  state: OrderState;

  /** `null` until Stripe has answered. */
  @Column('text', { name: 'checkout_session_id', nullable: true })
  checkoutSessionId: string | null;

  @Column('timestamp with time zone', { name: 'checkout_expires_at', precision: 3, nullable: true })
  checkoutExpiresAt: Date | null;

  /** `null` before the first attempt to pay. */
  @Column('text', { name: 'payment_intent_id', nullable: true })
  paymentIntentId: string | null;

  /** The credits that were bought; `null` until they are granted. */
  @Column('uuid', { name: 'lot_id', nullable: true })
  lotId: string | null;

  @Column('timestamp with time zone', { name: 'ordered_at', precision: 3 })
  orderedAt: Date;

  @Column('timestamp with time zone', { name: 'granted_at', precision: 3, nullable: true })
  grantedAt: Date | null;

  /** Refunds, and what disputes hold; at most what was paid. */
  @Column('integer', { name: 'returned_cents', default: 0 })
  returnedCents: number;

  @Column('integer', { name: 'credits_taken_back', default: 0 })
  creditsTakenBack: number;

  @Column('integer', { name: 'credits_not_recovered', default: 0 })
  creditsNotRecovered: number;

  /** Questions to Stripe about this order that were begun. */
  @Column('integer', { default: 0 })
  refreshes: number;

  /** The number of the youngest question whose answer was applied; answers to older ones are stale. */
  @Column('integer', { name: 'refresh_applied', default: 0 })
  refreshApplied: number;

  /** When Stripe was last asked, or its answer was last due. */
  @Column('timestamp with time zone', { name: 'checked_at', precision: 3 })
  checkedAt: Date;

  /** Where the session is paid, as long as it can be; `null` for older orders. */
  @Column('text', { name: 'checkout_url', nullable: true })
  checkoutUrl: string | null;

  /** Stripe's own receipt; `null` until it is paid, or when Stripe gives none. */
  @Column('text', { name: 'receipt_url', nullable: true })
  receiptUrl: string | null;

  /** When a view of the order last asked Stripe. */
  @Column('timestamp with time zone', { name: 'viewed_at', precision: 3, nullable: true })
  viewedAt: Date | null;

  /** What Stripe took: the price before discounts and tax. `null` until it is paid, and for orders paid before this was stored. */
  @Column('integer', { name: 'subtotal_cents', nullable: true })
  subtotalCents: number | null;

  @Column('integer', { name: 'discount_cents', nullable: true })
  discountCents: number | null;

  @Column('integer', { name: 'tax_cents', nullable: true })
  taxCents: number | null;

  /** What the buyer really paid; where it is `null`, the price. */
  @Column('integer', { name: 'total_cents', nullable: true })
  totalCents: number | null;

  /** When Stripe last answered about it; `null`: never. */
  @Column('timestamp with time zone', { name: 'answered_at', precision: 3, nullable: true })
  answeredAt: Date | null;

  /** Which attempt to get a session is under way, from 1: Stripe repeats a failure to whoever asks again under the same key. */
  @Column('integer', { name: 'checkout_attempts', default: 1 })
  checkoutAttempts: number;

  /** It is paid, but its refunds or disputes could not be read: Stripe is asked again. */
  @Column('boolean', { name: 'returns_pending', default: false })
  returnsPending: boolean;

  /** For operators: why what was paid is not what was ordered, or was paid twice; `null`: it is as ordered. */
  @Column('text', { nullable: true })
  problem: string | null;

  @Column('timestamp with time zone', { name: 'problem_at', precision: 3, nullable: true })
  problemAt: Date | null;

  /** What became of the problem, by an operator or by a refund of everything; `null`: it is open. */
  @Column('text', { nullable: true })
  resolution: OrderResolution | null;

  @Column('timestamp with time zone', { name: 'resolved_at', precision: 3, nullable: true })
  resolvedAt: Date | null;

  /** When a card network first warned that the payment may be fraud. */
  @Column('timestamp with time zone', { name: 'fraud_warning_at', precision: 3, nullable: true })
  fraudWarningAt: Date | null;

  /** The sessions whose payments the problem is about; the problem names them for operators. */
  @Column('text', { name: 'problem_sessions', array: true, default: '{}' })
  problemSessions: readonly string[];

  /** Refunds that operators have asked Stripe for: each attempt has an Idempotency-Key of its own. */
  @Column('integer', { name: 'refund_attempts', default: 0 })
  refundAttempts: number;

  /** A dispute about its payment was lost, and the money is gone. */
  @Column('boolean', { name: 'is_dispute_lost', default: false })
  isDisputeLost: boolean;

  /** When an operator decided to leave it as it is, and nothing has come up since. */
  @Column('timestamp with time zone', { name: 'accepted_at', precision: 3, nullable: true })
  acceptedAt: Date | null;
}
