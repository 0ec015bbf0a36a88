import { type PaymentEventRequest } from '@app/contracts';
import { counter } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { OrderRefresh } from './order-refresh.js';
import { StripePayments } from './provider/stripe-payments.js';

const events = counter('payment_events_total', 'Signed events of Stripe, by what became of them.', {
  outcome: ['applied', 'ignored', 'failed'],
});

/** What Stripe tells. An event says only where to look; what counts is what Stripe answers then. */
@Injectable()
export class PaymentEventsService {
  constructor(
    private readonly stripe: StripePayments,
    private readonly refreshing: OrderRefresh,
  ) {}

  /**
   * Returns once everything that the event changes is committed. Throws `invalid_request` for a wrong signature, and
   * whatever kept it from being applied: then Stripe sends it again.
   */
  async take({ body, signature }: PaymentEventRequest): Promise<{ readonly taken: true }> {
    const subject = this.stripe.verifyEvent(body, signature);
    if (subject === null) {
      events.inc({ outcome: 'ignored' });
      return { taken: true };
    }
    try {
      if (subject.kind === 'session') await this.refreshing.refreshSession(subject.sessionId, 'event');
      else await this.refreshing.refreshPayment(subject.paymentIntentId, 'event');
    } catch (error) {
      events.inc({ outcome: 'failed' });
      throw error;
    }
    events.inc({ outcome: 'applied' });
    return { taken: true };
  }
}
