import { type DeliveryView } from '#contracts';
import { counter, LOGGER, type Logger as PlatformLogger } from '#platform';
import { TransactionRunner } from '#platform/database';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { readClock } from '../database/account-transactions.js';
import { MailService, RefusedMailError } from '../people/mail/mail.service.js';
import { ClaimedWork } from '../schedule/claimed-work.js';
import { type AttemptEnd, type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { noticeMail } from './notice-mail.js';
import { nextAttemptAt } from './notice-rules.js';
import { NoticesService } from './notices.service.js';
import { WebhookSender } from './webhooks/webhook-sender.js';
import { GoneWebhookError, UnreachableWebhookError } from './webhooks/webhook-target.js';

type Channel = DeliveryView['channel'];

/** Attempts that a replica makes at once in each channel. Hanging webhooks, however many, thus delay no mail. */
const laneSizes = { mail: 8, webhook: 24 } as const satisfies Record<Channel, number>;

const attempts = counter(
  'notice_attempts_total',
  'Attempts to deliver a notice, by channel and outcome: delivered, failed, given_up.',
  { channel: ['mail', 'webhook'], outcome: ['delivered', 'failed', 'given_up'] },
);

class NoRecipientError extends Error {}

/** Delivers the notices of the outbox, as do the workers of the other replicas. Mail and webhooks have separate lanes. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);
  readonly lanes: readonly ClaimedWork<ClaimedDelivery>[];

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly database: TransactionRunner,
    private readonly mail: MailService,
    private readonly webhooks: WebhookSender,
    private readonly notices: NoticesService,
    @Inject(LOGGER) logger: PlatformLogger,
  ) {
    const laneOf = (channel: Channel) =>
      new ClaimedWork<ClaimedDelivery>({
        max: laneSizes[channel],
        claim: (free) => deliveries.claim(channel, free),
        work: (delivery) => this.attempt(delivery),
        problem: 'The outbox could not be read.',
        logger,
      });
    this.lanes = [laneOf('mail'), laneOf('webhook')];
  }

  onApplicationBootstrap(): void {
    for (const lane of this.lanes) lane.start();
  }

  /** Finishes the attempts in progress. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()));
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const delivered: AttemptEnd = { state: 'delivered', nextAttemptAt: null, problem: null };
    const sent = delivery.channel === 'mail' ? this.sendMail(delivery) : this.sendToWebhook(delivery);
    const end = await sent.then(
      () => delivered,
      (error: unknown) => this.endOf(delivery, error),
    );
    await this.deliveries.finish(delivery, end);
    attempts.inc({ channel: delivery.channel, outcome: end.state === 'waiting' ? 'failed' : end.state });
  }

  private async sendMail(delivery: ClaimedDelivery): Promise<void> {
    const { owner_email: to, notify_by_email } = delivery;
    if (to === null) throw new NoRecipientError('This person is no longer an owner of the account.');
    if (!notify_by_email && delivery.kind !== 'webhook_removed') {
      throw new NoRecipientError('Email notifications are turned off.');
    }
    if (delivery.kind === 'test') throw new NoRecipientError('Tests are sent to the webhook only.');
    await this.mail.send(noticeMail(delivery, to, this.mail.options.pagesUrl));
  }

  /** The body is the same for every attempt. */
  private async sendToWebhook(delivery: ClaimedDelivery): Promise<void> {
    const { webhook_url: url, webhook_secret: secret, notice_id: id } = delivery;
    if (url === null || secret === null) throw new NoRecipientError('The webhook was removed.');
    const body = JSON.stringify({
      type: delivery.kind,
      timestamp: delivery.created_at.toISOString(),
      data: { account_id: delivery.account_id, ...delivery.data },
    });
    const secrets = [secret, delivery.previous_webhook_secret].filter((each) => each !== null);
    try {
      await this.webhooks.send({ url, secrets, id, body });
    } catch (error) {
      if (error instanceof GoneWebhookError) await this.notices.removeGone(delivery.account_id, url, id);
      throw error;
    }
  }

  private async endOf(
    { attempts: made, created_at: createdAt }: ClaimedDelivery,
    error: unknown,
  ): Promise<AttemptEnd> {
    const { problem, isFinal } = this.explain(error);
    const now = await readClock(this.database);
    const next = isFinal ? null : nextAttemptAt({ attempts: made, createdAt, now });
    return { state: next ? 'waiting' : 'given_up', nextAttemptAt: next, problem };
  }

  /** In words for the owner of the account. Logs only problems on our side. */
  private explain(error: unknown): { readonly problem: string; readonly isFinal: boolean } {
    if (error instanceof NoRecipientError || error instanceof RefusedMailError) {
      return { problem: error.message, isFinal: true };
    }
    if (error instanceof UnreachableWebhookError) {
      return { problem: error.message, isFinal: error instanceof GoneWebhookError };
    }
    this.logger.warn(new Error('A notice could not be sent; it will be tried again.', { cause: error }));
    return { problem: 'The mail server could not be reached.', isFinal: false };
  }
}
