import { type DeliveryView } from '#contracts';
import { counter, LOGGER, type Logger as PlatformLogger, PeriodicTask } from '#platform';
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
const channels = ['mail', 'webhook'] as const;
const pollMs = 1_000;

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
  private readonly lanes: Readonly<Record<Channel, ClaimedWork<ClaimedDelivery>>> = {
    mail: new ClaimedWork(laneSizes.mail),
    webhook: new ClaimedWork(laneSizes.webhook),
  };
  private readonly polling: PeriodicTask;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly database: TransactionRunner,
    private readonly mail: MailService,
    private readonly webhooks: WebhookSender,
    private readonly notices: NoticesService,
    @Inject(LOGGER) logger: PlatformLogger,
  ) {
    this.polling = new PeriodicTask({
      run: async () => (await this.look()) > 0,
      intervalMs: pollMs,
      problem: 'The outbox could not be read.',
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  /** Finishes the attempts in progress. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.polling.stop();
    await this.idle();
  }

  /** Begins an attempt for each due delivery while its lane has room; resolves to their number. */
  async look(): Promise<number> {
    let begun = 0;
    for (const channel of channels) {
      begun += await this.lanes[channel].fill(
        (free) => this.deliveries.claim(channel, free),
        (delivery) => this.attempt(delivery),
      );
    }
    return begun;
  }

  /** Resolves once no attempt is in progress. */
  async idle(): Promise<void> {
    await Promise.all(channels.map((channel) => this.lanes[channel].idle()));
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const problem = await this.send(delivery).then(
      () => null,
      (error: unknown) => this.explain(error),
    );
    const end = await this.endOf(delivery, problem);
    await this.deliveries.finish(delivery, end);
    attempts.inc({ channel: delivery.channel, outcome: end.state === 'waiting' ? 'failed' : end.state });
  }

  private send(delivery: ClaimedDelivery): Promise<void> {
    return delivery.channel === 'mail' ? this.sendMail(delivery) : this.sendToWebhook(delivery);
  }

  private async sendMail(delivery: ClaimedDelivery): Promise<void> {
    const { owner_email: to, notify_by_email, account_name: accountName } = delivery;
    if (to === null) throw new NoRecipientError('This person is no longer an owner of the account.');
    if (!notify_by_email && delivery.kind !== 'webhook_removed') {
      throw new NoRecipientError('Email notifications are turned off.');
    }
    if (delivery.kind === 'test') throw new NoRecipientError('Tests are sent to the webhook only.');
    const { pagesUrl } = this.mail;
    await this.mail.send(
      noticeMail({ to, accountName, pagesUrl, content: delivery, messageId: delivery.id }),
    );
  }

  /** The body is the same for every attempt. */
  private async sendToWebhook(delivery: ClaimedDelivery): Promise<void> {
    const {
      webhook_url: url,
      webhook_secret: secret,
      previous_webhook_secret: previous,
      notice_id: id,
    } = delivery;
    if (url === null || secret === null) throw new NoRecipientError('The webhook was removed.');
    const body = JSON.stringify({
      type: delivery.kind,
      timestamp: delivery.created_at.toISOString(),
      data: { account_id: delivery.account_id, ...delivery.data },
    });
    const secrets = previous === null ? [secret] : [secret, previous];
    try {
      await this.webhooks.send({ url, secrets, id, body });
    } catch (error) {
      if (error instanceof GoneWebhookError) await this.notices.removeGone(delivery.account_id, url, id);
      throw error;
    }
  }

  private async endOf(delivery: ClaimedDelivery, problem: Problem | null): Promise<AttemptEnd> {
    if (problem === null) return { state: 'delivered', nextAttemptAt: null, problem: null };
    const { attempts: made, created_at: createdAt } = delivery;
    const now = await readClock(this.database);
    const next = problem.isFinal ? null : nextAttemptAt({ attempts: made, createdAt, now });
    return { state: next ? 'waiting' : 'given_up', nextAttemptAt: next, problem: problem.message };
  }

  /** Logs only problems on our side. */
  private explain(error: unknown): Problem {
    if (error instanceof NoRecipientError) return { message: error.message, isFinal: true };
    if (error instanceof UnreachableWebhookError) {
      return { message: error.message, isFinal: error instanceof GoneWebhookError };
    }
    if (error instanceof RefusedMailError) return { message: error.message, isFinal: true };
    this.logger.warn(new Error('A notice could not be sent; it will be tried again.', { cause: error }));
    return { message: 'The mail server could not be reached.', isFinal: false };
  }
}

interface Problem {
  /** For the owner of the account. */
  readonly message: string;
  readonly isFinal: boolean;
}
