import { type PaymentEventRequest, ServiceError } from '#contracts';
import { counter, LOGGER, type Logger as PlatformLogger, within } from '#platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ClaimedWork } from '../../schedule/claimed-work.js';
import { OrderRefresh } from '../order-refresh.js';
import { type Cause } from '../order-transitions.js';
import { OrdersRepository } from '../orders.repository.js';
import { type EventSubject, unconcerned } from '../provider/read-event.js';
import { UnknownToProvider } from '../provider/stripe-client.js';
import { StripePayments } from '../provider/stripe-payments.js';
import { type Claim, PaymentEventsRepository } from './payment-events.repository.js';

const unconcernedEvents = counter(
  'payment_events_unconcerned_total',
  'Signed events of Stripe that are about no order, by why.',
  { reason: unconcerned },
);

/** Subjects that a replica handles at once: two requests to Stripe each, which takes 25 a second with a test key. */
const atOnceMax = 8;
/** Stripe answers within seconds, or not at all. */
const shutdownWaitMs = 5_000;

const outcomes = counter(
  'payment_events_total',
  'Events of Stripe that were worked on, by what became of them.',
  { outcome: ['applied', 'ignored', 'failed'] },
);

/**
 * Stores the events of Stripe and handles them, as every replica does. An event only names a session or payment: for each, Stripe is asked
 * how the payment is now, so their order does not matter. One that fails is tried again later and delays no other one.
 */
@Injectable()
export class PaymentEventsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PaymentEventsService.name);
  readonly work: ClaimedWork<Claim>;

  constructor(
    private readonly events: PaymentEventsRepository,
    private readonly refreshing: OrderRefresh,
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
    @Inject(LOGGER) logger: PlatformLogger,
  ) {
    this.work = new ClaimedWork({
      max: atOnceMax,
      claim: (free) => events.claim(free),
      work: (claim) => this.handle(claim),
      problem: 'The waiting events of Stripe could not be read.',
      logger,
    });
  }

  onApplicationBootstrap(): void {
    if (this.stripe.isOpen) this.work.start();
  }

  /** Finishes the requests in progress; slower ones are handled by another replica when their lease ends. */
  async beforeApplicationShutdown(): Promise<void> {
    await within(shutdownWaitMs, this.work.stop());
  }

  /**
   * Returns once the event is stored; it is handled afterwards. Throws `invalid_request` for a wrong signature and for a body that
   * is not an event. An event about no order is accepted and forgotten: with any other answer Stripe would send it for days.
   */
  async handleEvent({ body, signature }: PaymentEventRequest): Promise<{ readonly taken: true }> {
    const event = this.stripe.verifyEvent(body, signature);
    if (typeof event === 'string') unconcernedEvents.inc({ reason: event });
    else if ((await this.events.store([event], 'webhook')) > 0) this.work.wake();
    return { taken: true };
  }

  private async handle(claim: Claim): Promise<void> {
    const { subject, source, eventIds } = claim;
    try {
      const isOurs = await this.refresh(subject, source === 'webhook' ? 'event' : 'reconciliation');
      await this.events.end(claim, isOurs ? 'done' : 'ignored');
      outcomes.inc({ outcome: isOurs ? 'applied' : 'ignored' }, eventIds.length);
    } catch (error) {
      await this.fail(claim, error);
    }
  }

  /**
   * Brings the order of the subject up to date. Resolves to whether it is one of ours: not when our key does not see it. Throws when
   * Stripe does not answer, and `UnknownToProvider` when it has lost an order of ours.
   */
  private async refresh(subject: EventSubject, cause: Cause): Promise<boolean> {
    try {
      return (await this.refreshing.refreshSubject(subject, cause)) !== null;
    } catch (error) {
      if (!(error instanceof UnknownToProvider) || (await this.orders.findBySubject(subject))) throw error;
      return false;
    }
  }

  private async fail(claim: Claim, error: unknown): Promise<void> {
    const about = `${claim.types.join(', ')} about ${claim.subject.id}`;
    await this.events.fail(claim, problemOf(error));
    outcomes.inc({ outcome: 'failed' }, claim.eventIds.length);
    this.logger.warn(
      new Error(`An event of Stripe (${about}) could not be applied; it is tried again.`, { cause: error }),
    );
  }
}

/** For operators: without what only the log may say. */
function problemOf(error: unknown): string {
  if (error instanceof UnknownToProvider) return 'Stripe does not know the payment of this order of ours.';
  if (error instanceof ServiceError) return error.message.slice(0, 300);
  return 'A fault of this service; its log says which.';
}
