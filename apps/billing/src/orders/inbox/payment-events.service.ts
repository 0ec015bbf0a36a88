import { type PaymentEventRequest } from '#contracts';
import { counter } from '#platform';
import { type ChangeContext, type Transaction, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { EventWorker } from './event-worker.js';
import { PaymentEventsRepository } from './payment-events.repository.js';
import { unconcerned } from '../provider/read-event.js';
import { StripePayments } from '../provider/stripe-payments.js';

const unconcernedEvents = counter(
  'payment_events_unconcerned_total',
  'Signed events of Stripe that are about no order, by why.',
  { reason: unconcerned },
);

/** Few enough for one short statement. */
const retriedMax = 1_000;

/** Stripe's events. An event says only where to look; what counts is what Stripe answers then. */
@Injectable()
export class PaymentEventsService {
  constructor(
    private readonly database: TransactionRunner,
    private readonly stripe: StripePayments,
    private readonly events: PaymentEventsRepository,
    private readonly worker: EventWorker,
  ) {}

  /**
   * Returns once the event is stored; it is handled afterwards. Throws `invalid_request` for a wrong signature and for a body that
   * is not an event. An event about no order is accepted and forgotten: with any other answer Stripe would send it for days.
   */
  async handleEvent({ body, signature }: PaymentEventRequest): Promise<{ readonly taken: true }> {
    const event = this.stripe.verifyEvent(body, signature);
    if (typeof event === 'string') unconcernedEvents.inc({ reason: event });
    else if ((await this.events.store([event], 'webhook')) > 0) this.worker.wake();
    return { taken: true };
  }

  /** Events that were given up are handled again. Throws `conflict` when selling is off. */
  async retry(by: ChangeContext = {}): Promise<{ readonly retried: number }> {
    this.stripe.requireOpen();
    const retry = async (transaction: Transaction): Promise<number> => {
      const retried = await this.events.retryGivenUp(transaction, retriedMax);
      await transaction.record({
        action: 'payment_events.retried',
        subject: 'payment_events',
        after: { retried },
      });
      return retried;
    };
    const retried = await this.database.run(retry, by);
    if (retried > 0) this.worker.wake();
    return { retried };
  }
}
