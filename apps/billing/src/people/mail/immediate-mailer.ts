import { setTimeout as delay } from 'node:timers/promises';
import { counter } from '#platform';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { type Mail, type MailQueue } from './mail.js';
import { MailService, RefusedMailError } from './mail.service.js';

type ImmediateMailKind = Exclude<MailQueue, 'notice'>;

/** Makes the mail, later, with the name of the service; `null` if there is nothing to send. */
type Compose = (product: string) => Mail | null | Promise<Mail | null>;

/** Delays between attempts, a minute in total. */
const retryDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Unsent mails of each kind, with the ones that wait for another attempt. */
const waitingMax = { sign_in: 1_000, invitation: 200 } as const satisfies Record<ImmediateMailKind, number>;

const outcomes = counter(
  'prompt_mails_total',
  'Mails that are sent at once (sign-in, invitations), by outcome: sent, given_up.',
  { outcome: ['sent', 'given_up'] },
);

/**
 * Sends mails right after the reply that they belong to, with retries for a minute. They are kept in memory only, because they may
 * hold secrets; a lost one can be requested again. Each kind has its own queue and connections, so that a sign-in mail is sent at once
 * however many invitations wait. Notices go through the outbox instead.
 */
@Injectable()
export class ImmediateMailer implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ImmediateMailer.name);
  /** Mails that are not sent yet; nodemailer queues them for the connections of their kind. */
  private readonly sending = { sign_in: new Set<Promise<void>>(), invitation: new Set<Promise<void>>() };
  private readonly stopped = new AbortController();

  constructor(private readonly mail: MailService) {}

  /** Returns at once, and does nothing where mail is off. Failures are logged. */
  sendSoon(kind: ImmediateMailKind, compose: Compose): void {
    if (!this.mail.isOn) return;
    const sending = this.sending[kind];
    if (sending.size >= waitingMax[kind]) {
      outcomes.inc({ outcome: 'given_up' });
      this.logger.error(`A mail (${kind}) was dropped: ${waitingMax[kind]} others are waiting to be sent.`);
      return;
    }
    const sent: Promise<void> = this.send(compose).finally(() => sending.delete(sent));
    sending.add(sent);
  }

  /** Finishes the attempts in progress and makes no others. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await Promise.all([...this.sending.sign_in, ...this.sending.invitation]);
  }

  private async send(compose: Compose): Promise<void> {
    try {
      const mail = await compose(this.mail.options.product);
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
