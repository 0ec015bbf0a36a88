/** The amount that the payment provider charged in one session, in the smallest unit of its currency. */
export interface PaymentAmounts {
  /** The price before discounts and tax. */
  readonly subtotalCents: number;
  readonly discountCents: number;
  readonly taxCents: number;
  /** What the buyer pays: 0 when a discount covers everything. */
  readonly totalCents: number;
}

/**
 * `processing`: the buyer is done, and the money is on its way. `expired` and `failed` are final: nothing was paid in time, or the
 * payment failed. Only a session in which nothing was completed is `open`.
 */
export type UnpaidProgress = 'open' | 'processing' | 'expired' | 'failed';

/** The payment of an order as the payment provider reports it at one moment. */
export interface PaymentState {
  readonly sessionId: string;
  /** The order that the session was made for, as the provider has it. */
  readonly reference: string | null;
  readonly progress: UnpaidProgress | 'paid' | 'no_payment_required';
  /** `null`: the provider does not say. */
  readonly amounts: PaymentAmounts | null;
  readonly currency: string | null;
  /** Real money, not the provider's test mode. */
  readonly isLive: boolean;
  /** `null` before the first attempt to pay, and when there is nothing to pay. */
  readonly paymentIntentId: string | null;
  /** The provider's page of its invoice, or else of its receipt; `null` until there is one. */
  readonly receiptUrl: string | null;
  /** `null`: no invoice was made, it is not finalized yet, or it could not be read. */
  readonly invoiceNumber: string | null;
  /** An invoice without a number yet, or none although one is to be made. */
  readonly isInvoicePending: boolean;
  /** Refunds that have not failed, and what disputes have withdrawn and not reinstated. May exceed what was paid. */
  readonly returnedCents: number;
  /** Whether a dispute was decided against us, and its money is gone; `null`: disputes could not be read. */
  readonly isDisputeLost: boolean | null;
  /** Otherwise refunds or disputes could not be read, and more may have gone back. */
  readonly areReturnsKnown: boolean;
}

/** Whether nothing is left to pay: the money is there, or a discount covers everything. */
export function isPaid(progress: PaymentState['progress']): progress is 'paid' | 'no_payment_required' {
  return progress === 'paid' || progress === 'no_payment_required';
}
