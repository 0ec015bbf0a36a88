/** What the payment provider says of the payment of an order at one moment. */
export interface PaymentState {
  readonly sessionId: string;
  /** The order that the session was made for, as the provider has it. */
  readonly reference: string | null;
  /** `unpaid` is final: the payment was tried and failed, or nobody paid in time. */
  readonly progress: 'open' | 'processing' | 'paid' | 'expired' | 'failed';
  readonly amountCents: number | null;
  readonly currency: string | null;
  /** Real money, not the provider's test mode. */
  readonly isLive: boolean;
  /** `null` before the first attempt to pay. */
  readonly paymentIntentId: string | null;
  readonly expiresAt: Date;
  /** The provider's own receipt; `null` unless it is paid. */
  readonly receiptUrl: string | null;
  /** Refunds that have not failed, and what disputes have withdrawn and not reinstated. May exceed the price. */
  readonly returnedCents: number;
}
