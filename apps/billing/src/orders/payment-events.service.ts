import { type PaymentEventRequest, ServiceError } from '@app/contracts';
import { counter } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { EventWorker } from './inbox/event-worker.js';
import { PaymentEventsRepository } from './inbox/payment-events.repository.js';
import { unconcerned } from './provider/read-event.js';
import { StripePayments } from './provider/stripe-payments.js';

const unconcernedEvents = counter(
  'payment_events_unconcerned_total',
  'Signed events of Stripe that are about no order, by why.',
  { reason: unconcerned },
);

/** Few enough for one short statement. */
const retriedMax = 1_000;

/** What Stripe tells. An event says only where to look; what counts is what Stripe answers then. */
@Injectable()
export class PaymentEventsService {
  constructor(
    private readonly stripe: StripePayments,
    private readonly events: PaymentEventsRepository,
    private readonly worker: EventWorker,
  ) {}

  /**
   * Returns once the event is stored; it is worked on afterwards. Throws `invalid_request` for a wrong signature and for what is no
   * event. One that is about no order is taken and forgotten: with any other answer Stripe would send it for days.
   */
  async take({ body, signature }: PaymentEventRequest): Promise<{ readonly taken: true }> {
    const event = this.stripe.verifyEvent(body, signature);
    if (typeof event === 'string') unconcernedEvents.inc({ reason: event });
    else if ((await this.events.store([event], 'webhook')) > 0) this.worker.wake();
    return { taken: true };
  }

  /** Events that were given up are worked on once more. Throws `conflict` when selling is off: nobody would. */
  async retry(): Promise<{ readonly retried: number }> {
    if (!this.stripe.isOpen) {
      throw new ServiceError('conflict', 'Credits are not sold here: no payment provider is set up.');
    }
    const retried = await this.events.retryGivenUp(retriedMax);
    if (retried > 0) this.worker.wake();
    return { retried };
  }
}
