import { setTimeout as delay } from 'node:timers/promises';
import { counter } from '@app/platform';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { type Mail } from './mail.js';
import { MailService, RefusedMailError } from './mail.service.js';

/** Between the attempts: a minute in all. */
const retryDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const waitingMax = 1_000;

const outcomes = counter(
  'prompt_mails_total',
  'Mails that are sent at once (sign-in, invitations), by outcome: sent, given_up.',
  ['outcome'],
);

/**
 * Mails that are sent right after the reply to which they belong, with retries for a minute. They are kept in memory only,
 * because they may hold secrets; one that is lost is asked for again.
 */
@Injectable()
export class PromptMails implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PromptMails.name);
  private readonly sending = new Set<Promise<void>>();
  private readonly stopped = new AbortController();

  constructor(private readonly mail: MailService) {}

  /** Returns at once; `compose` runs afterwards, and may decide that there is nothing to send. Failures are logged. */
  sendSoon(compose: () => Promise<Mail | null>): void {
    if (this.sending.size >= waitingMax) {
      outcomes.inc({ outcome: 'given_up' });
      this.logger.error(`A mail was dropped: ${waitingMax} others are waiting to be sent.`);
      return;
    }
    const sent: Promise<void> = this.send(compose).finally(() => this.sending.delete(sent));
    this.sending.add(sent);
  }

  /** Attempts that are under way are finished, no other is made. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.sending);
  }

  private async send(compose: () => Promise<Mail | null>): Promise<void> {
    try {
      const mail = await compose();
      if (mail === null) return;
      await this.sendWithRetries(mail);
      outcomes.inc({ outcome: 'sent' });
    } catch (error) {
      outcomes.inc({ outcome: 'given_up' });
      this.logger.error(new Error('A mail could not be sent.', { cause: error }));
    }
  }

  private async sendWithRetries(mail: Mail): Promise<void> {
    for (const waitMs of [...retryDelaysMs, null]) {
      try {
        return await this.mail.send(mail);
      } catch (error) {
        if (error instanceof RefusedMailError || waitMs === null || this.stopped.signal.aborted) throw error;
        this.logger.warn(new Error('A mail could not be sent; it will be tried again.', { cause: error }));
        await delay(waitMs, undefined, { signal: this.stopped.signal });
      }
    }
  }
}
