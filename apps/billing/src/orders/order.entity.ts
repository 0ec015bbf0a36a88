import { type CardPack, type OrderResolution, type OrderState } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An order of a pack by card, its payment, and the money returned later. */
@Entity('orders')
export class Order {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
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

  /** Money that was refunded or is held by disputes; at most the amount paid. */
  @Column('integer', { name: 'returned_cents', default: 0 })
  returnedCents: number;

  @Column('integer', { name: 'credits_taken_back', default: 0 })
  creditsTakenBack: number;

  @Column('integer', { name: 'credits_not_recovered', default: 0 })
  creditsNotRecovered: number;

  /** Number of requests to Stripe about this order so far. */
  @Column('integer', { default: 0 })
  refreshes: number;

  /** The number of the latest request whose answer was applied; answers to earlier ones are stale. */
  @Column('integer', { name: 'refresh_applied', default: 0 })
  refreshApplied: number;

  /** When Stripe was last asked. */
  @Column('timestamp with time zone', { name: 'checked_at', precision: 3 })
  checkedAt: Date;

  /** Stripe's page of the session, while it can be paid. */
  @Column('text', { name: 'checkout_url', nullable: true })
  checkoutUrl: string | null;

  /** Stripe's page of its invoice, or else of its receipt; `null` until it is paid, or when Stripe gives none. */
  @Column('text', { name: 'receipt_url', nullable: true })
  receiptUrl: string | null;

  /** When a view of the order last asked Stripe. */
  @Column('timestamp with time zone', { name: 'viewed_at', precision: 3, nullable: true })
  viewedAt: Date | null;

  /** The price that Stripe charged, before discounts and tax. `null` until it is paid, and for orders paid before this was stored. */
  @Column('integer', { name: 'subtotal_cents', nullable: true })
  subtotalCents: number | null;

  @Column('integer', { name: 'discount_cents', nullable: true })
  discountCents: number | null;

  @Column('integer', { name: 'tax_cents', nullable: true })
  taxCents: number | null;

  /** The amount that the buyer paid; if `null`, the price. */
  @Column('integer', { name: 'total_cents', nullable: true })
  totalCents: number | null;

  /** When Stripe last answered about it; `null`: never. */
  @Column('timestamp with time zone', { name: 'answered_at', precision: 3, nullable: true })
  answeredAt: Date | null;

  /** The number of the current attempt to get a session, from 1: Stripe repeats a failure under the same key. */
  @Column('integer', { name: 'checkout_attempts', default: 1 })
  checkoutAttempts: number;

  /** Whether a paid order's refunds or disputes could not be read: Stripe is asked again. */
  @Column('boolean', { name: 'returns_pending', default: false })
  returnsPending: boolean;

  /** For operators: how the payment differs from the order, or that there were two; `null` if it is as ordered. */
  @Column('text', { nullable: true })
  problem: string | null;

  @Column('timestamp with time zone', { name: 'problem_at', precision: 3, nullable: true })
  problemAt: Date | null;

  /** How the problem was resolved, by an operator or by a full refund; `null` while it is open. */
  @Column('text', { nullable: true })
  resolution: OrderResolution | null;

  @Column('timestamp with time zone', { name: 'resolved_at', precision: 3, nullable: true })
  resolvedAt: Date | null;

  /** The sessions whose payments the problem is about; the problem names them for operators. */
  @Column('text', { name: 'problem_sessions', array: true, default: '{}' })
  problemSessions: readonly string[];

  /** Refunds that operators have asked Stripe for: each attempt has an Idempotency-Key of its own. */
  @Column('integer', { name: 'refund_attempts', default: 0 })
  refundAttempts: number;

  /** Whether a dispute about its payment was lost, with the money. */
  @Column('boolean', { name: 'is_dispute_lost', default: false })
  isDisputeLost: boolean;

  /** When an operator wrote the missing credits off; `null` again when more are missing. */
  @Column('timestamp with time zone', { name: 'accepted_at', precision: 3, nullable: true })
  acceptedAt: Date | null;

  /** Number of Stripe's invoice; `null` until it is finalized. */
  @Column('text', { name: 'invoice_number', nullable: true })
  invoiceNumber: string | null;

  /** Whether a paid order's invoice has no number yet: Stripe is asked again. */
  @Column('boolean', { name: 'invoice_pending', default: false })
  invoicePending: boolean;
}
