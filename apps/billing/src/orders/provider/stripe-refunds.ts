import { isRecord, type RefundReason, ServiceError } from '@app/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { ask, STRIPE } from './stripe-client.js';

/** All that is left of a payment. */
export interface WantedRefund {
  readonly orderId: string;
  readonly paymentIntentId: string;
  readonly reason: RefundReason | undefined;
  /** The same request again is the same refund, as long as Stripe has not refused it. */
  readonly idempotencyKey: string;
}

/** Stripe has decided against a refund: the same request would get the same answer. */
export class RefundRefused extends ServiceError {
  constructor(message: string, cause: unknown) {
    super('conflict', message, { cause });
  }
}

/** Codes of Stripe with which all of the money is with the buyer already. */
const nothingLeft = new Set<unknown>(['charge_already_refunded']);

/** Gives money back to buyers, which needs a right of its own. */
@Injectable()
export class StripeRefunds {
  constructor(@Inject(STRIPE) private readonly stripe: Stripe | null) {}

  /**
   * Returns once all of the payment is on its way back, also when it was before. Throws `RefundRefused` when Stripe has decided
   * against it or failed, and otherwise as `ask` does: then nothing is known.
   */
  async refundAll({ orderId, paymentIntentId, reason, idempotencyKey }: WantedRefund): Promise<void> {
    const { stripe } = this;
    if (!stripe) {
      throw new ServiceError('conflict', 'Credits are not sold here: no payment provider is set up.');
    }
    const refund = {
      payment_intent: paymentIntentId,
      metadata: { order_id: orderId },
      ...(reason && { reason }),
    };
    try {
      await ask('create_refund', () => stripe.refunds.create(refund, { idempotencyKey }));
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (!isRecord(cause)) throw error;
      if (nothingLeft.has(cause.code)) return;
      throw refusalOf(cause) ?? error;
    }
  }
}

/** `null`: it is not known whether Stripe has done it, or it is done later. */
function refusalOf(error: Record<string, unknown>): RefundRefused | null {
  switch (error.type) {
    case 'StripePermissionError':
      return new RefundRefused(
        'The Stripe key may not refund: give it the permission "Charges: write" in the Stripe Dashboard, or refund the payment there.',
        error,
      );
    case 'StripeInvalidRequestError':
      return new RefundRefused(`Stripe refuses the refund: ${String(error.message)}`, error);
    case 'StripeAPIError':
      return new RefundRefused('Stripe failed at the refund, and stays with it: ask again.', error);
    default:
      return null;
  }
}
