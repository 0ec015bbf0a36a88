import { isRecord, type RefundReason, ServiceError } from '#contracts';
import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import { needs } from './key-permissions.js';
import { callStripe, openStripe, ProviderFailure, STRIPE } from './stripe-client.js';

/** A refund of the rest of a payment. */
export interface WantedRefund {
  readonly orderId: string;
  readonly paymentIntentId: string;
  readonly reason: RefundReason | undefined;
  /** The same request again is the same refund, as long as Stripe has not refused it. */
  readonly idempotencyKey: string;
}

/** Stripe has refused a refund or failed at it: the same request would get the same answer. */
export class RefundRefused extends ServiceError {}

/** Gives money back to buyers, which needs a right of its own. */
@Injectable()
export class StripeRefunds {
  constructor(@Inject(STRIPE) private readonly stripe: Stripe | null) {}

  /**
   * Returns once all of the payment is on its way back, also when it was before. Throws `RefundRefused` when Stripe has decided
   * against it or failed, and otherwise as `callStripe` does: then nothing is known.
   */
  async refundAll({ orderId, paymentIntentId, reason, idempotencyKey }: WantedRefund): Promise<void> {
    const { refunds } = openStripe(this.stripe);
    const refund = {
      payment_intent: paymentIntentId,
      metadata: { order_id: orderId },
      ...(reason && { reason }),
    };
    try {
      await callStripe('create_refund', (limits) => refunds.create(refund, { ...limits, idempotencyKey }));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const { cause } = error;
      if (isRecord(cause) && cause.code === 'charge_already_refunded') return;
      throw refusalOf(error);
    }
  }
}

/** The error for an operator; the failure itself when it is not known whether Stripe has done it, or does it later. */
function refusalOf(failure: ProviderFailure): ServiceError {
  const { cause } = failure;
  if (failure.failure === 'no_result') return failure;
  if (failure.failure === 'stored') {
    return new RefundRefused('unavailable', 'Stripe failed at the refund; try again.', { cause });
  }
  return new RefundRefused('conflict', reasonOf(cause), { cause });
}

function reasonOf(cause: unknown): string {
  const { type, message } = isRecord(cause) ? cause : {};
  switch (type) {
    case 'StripePermissionError':
      return `The Stripe key may not refund: give it the permission "${needs.create_refund.permissions}" in the Stripe Dashboard, or refund the payment there.`;
    case 'StripeAuthenticationError':
      return 'Stripe does not accept the key of this service.';
    default:
      return `Stripe refuses the refund: ${typeof message === 'string' ? message : 'it does not say why'}`;
  }
}
