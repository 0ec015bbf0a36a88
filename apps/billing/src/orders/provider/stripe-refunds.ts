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

/** Stripe has refused a refund or failed at it: the same request would get the same answer. */
export class RefundRefused extends ServiceError {}

/** The status of a request about an object that another request is changing. */
const inUse = 409;

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
      if (cause.code === 'charge_already_refunded') return;
      throw refusalOf(cause) ?? error;
    }
  }
}

/** `null`: it is not known whether Stripe has done it, or it is done later. */
function refusalOf(error: Record<string, unknown>): RefundRefused | null {
  const refused = (message: string) => new RefundRefused('conflict', message, { cause: error });
  switch (error.type) {
    case 'StripePermissionError':
      return refused(
        'The Stripe key may not refund: give it the permission "Charges: write" in the Stripe Dashboard, or refund the payment there.',
      );
    case 'StripeAuthenticationError':
      return refused('Stripe does not accept the key of this service.');
    case 'StripeInvalidRequestError':
      return error.statusCode === inUse
        ? null
        : refused(`Stripe refuses the refund: ${String(error.message)}`);
    case 'StripeAPIError':
      return new RefundRefused('unavailable', 'Stripe failed at the refund; try again.', { cause: error });
    default:
      return null;
  }
}
