import { counter } from '@app/platform';
import { TransactionRunner } from '@app/platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { readClock } from '../../database/read-clock.js';
import { MailService, RefusedMailError } from '../../mail/mail.service.js';
import { nextAttemptAt } from '../rules/retry-times.js';
import { WebhookSender } from '../webhooks/webhook-sender.js';
import { UnreachableWebhookError } from '../webhooks/webhook-target.js';
import { noticeMail } from '../words/notice-mail.js';
import { webhookBody } from '../words/webhook-body.js';
import { type AttemptEnd, type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';

const attempts = counter(
  'notice_attempts_total',
  'Attempts to deliver a notice, by channel and outcome: delivered, failed, given_up.',
  { channel: ['mail', 'webhook'], outcome: ['delivered', 'failed', 'given_up'] },
);

/** There is nobody to deliver to any more. */
class NoRecipientError extends Error {}

/** Makes one attempt at a delivery and records its end. */
@Injectable()
export class Deliverer {
  private readonly logger = new Logger(Deliverer.name);

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly database: TransactionRunner,
    private readonly mail: MailService,
    private readonly webhooks: WebhookSender,
  ) {}

  /** Errors are recorded, not thrown; what could not be recorded is tried again when its lease ends. */
  async attempt(delivery: ClaimedDelivery): Promise<void> {
    const problem = await this.send(delivery).then(
      () => null,
      (error: unknown) => this.explain(error),
    );
    const end = await this.judge(delivery, problem);
    await this.deliveries.finish(delivery, end);
    attempts.inc({ channel: delivery.channel, outcome: end.state === 'waiting' ? 'failed' : end.state });
  }

  private send(delivery: ClaimedDelivery): Promise<void> {
    return delivery.channel === 'mail' ? this.sendMail(delivery) : this.sendToWebhook(delivery);
  }

  private async sendMail(delivery: ClaimedDelivery): Promise<void> {
    const { owner_email: to, is_mailed, account_name: accountName } = delivery;
    if (to === null) throw new NoRecipientError('This person is no owner of the account any more.');
    if (!is_mailed) throw new NoRecipientError('Notices by mail were switched off.');
    if (delivery.kind === 'test') throw new NoRecipientError('Tests are sent to the webhook only.');
    const { pagesUrl } = this.mail;
    await this.mail.send(
      noticeMail({ to, accountName, pagesUrl, content: delivery, messageId: delivery.id }),
    );
  }

  private async sendToWebhook(delivery: ClaimedDelivery): Promise<void> {
    const { webhook_url: url, webhook_secret: secret, notice_id: id } = delivery;
    if (url === null || secret === null) throw new NoRecipientError('The webhook was removed.');
    const { kind, account_id: accountId, data, created_at: createdAt } = delivery;
    await this.webhooks.send({ url, secret, id, body: webhookBody({ kind, accountId, data, createdAt }) });
  }

  private async judge(delivery: ClaimedDelivery, problem: Problem | null): Promise<AttemptEnd> {
    if (problem === null) return { state: 'delivered', nextAttemptAt: null, problem: null };
    const { attempts: made, created_at: createdAt } = delivery;
    const now = await readClock(this.database);
    const next = problem.isFinal ? null : nextAttemptAt({ attempts: made, createdAt, now });
    return { state: next ? 'waiting' : 'given_up', nextAttemptAt: next, problem: problem.words };
  }

  /** Only a problem that is not the recipient's is logged. */
  private explain(error: unknown): Problem {
    if (error instanceof NoRecipientError) return { words: error.message, isFinal: true };
    if (error instanceof UnreachableWebhookError) return { words: error.message, isFinal: false };
    if (error instanceof RefusedMailError) return { words: error.message, isFinal: true };
    this.logger.warn(new Error('A notice could not be sent; it will be tried again.', { cause: error }));
    return { words: 'The mail server could not be reached.', isFinal: false };
  }
}

interface Problem {
  readonly words: string;
  readonly isFinal: boolean;
}
