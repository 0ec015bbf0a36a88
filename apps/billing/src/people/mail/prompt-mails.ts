import { setTimeout as delay } from 'node:timers/promises';
import { counter } from '@app/platform';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { connectionsOf, type PromptMailKind } from './mail-kinds.js';
import { type Mail } from './mail.js';
import { MailService, RefusedMailError } from './mail.service.js';
import { Workers } from './workers.js';

/** Between the attempts: a minute in all. */
const retryDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Of each kind, those that wait for another attempt included. */
const waitingMax = { sign_in: 1_000, invitation: 200 } as const satisfies Record<PromptMailKind, number>;

const outcomes = counter(
  'prompt_mails_total',
  'Mails that are sent at once (sign-in, invitations), by outcome: sent, given_up.',
  { outcome: ['sent', 'given_up'] },
);

/**
 * Mails that are sent right after the reply to which they belong, with retries for a minute. They are kept in memory only,
 * because they may hold secrets; one that is lost is asked for again. Each kind has a queue and workers of its own, so
 * however many invitations wait, a sign-in mail leaves at once.
 */
@Injectable()
export class PromptMails implements BeforeApplicationShutdown {
  private readonly logger = new Logger(PromptMails.name);
  private readonly queues: Readonly<Record<PromptMailKind, Queue>> = {
    sign_in: newQueue('sign_in'),
    invitation: newQueue('invitation'),
  };
  private readonly stopped = new AbortController();

  constructor(private readonly mail: MailService) {}

  /** Returns at once; `compose` runs afterwards, and may decide that there is nothing to send. Failures are logged. */
  sendSoon(kind: PromptMailKind, compose: () => Promise<Mail | null>): void {
    const queue = this.queues[kind];
    if (queue.sending.size >= waitingMax[kind]) {
      outcomes.inc({ outcome: 'given_up' });
      this.logger.error(`A mail (${kind}) was dropped: ${waitingMax[kind]} others are waiting to be sent.`);
      return;
    }
    const sent: Promise<void> = this.send(queue, compose).finally(() => queue.sending.delete(sent));
    queue.sending.add(sent);
  }

  /** Attempts that are under way are finished, no other is made. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await Promise.all(Object.values(this.queues).flatMap(({ sending }) => [...sending]));
  }

  private async send({ workers }: Queue, compose: () => Promise<Mail | null>): Promise<void> {
    try {
      const mail = await workers.run(compose);
      if (mail === null) return;
      await this.sendWithRetries(workers, mail);
      outcomes.inc({ outcome: 'sent' });
    } catch (error) {
      outcomes.inc({ outcome: 'given_up' });
      this.logger.error(new Error('A mail could not be sent.', { cause: error }));
    }
  }

  /** A mail that waits for its next attempt keeps no worker. */
  private async sendWithRetries(workers: Workers, mail: Mail): Promise<void> {
    for (const waitMs of [...retryDelaysMs, null]) {
      try {
        return await workers.run(() => this.mail.send(mail));
      } catch (error) {
        if (error instanceof RefusedMailError || waitMs === null || this.stopped.signal.aborted) throw error;
        this.logger.warn(new Error('A mail could not be sent; it will be tried again.', { cause: error }));
        await delay(waitMs, undefined, { signal: this.stopped.signal });
      }
    }
  }
}

interface Queue {
  readonly workers: Workers;
  /** All that are not sent yet. */
  readonly sending: Set<Promise<void>>;
}

function newQueue(kind: PromptMailKind): Queue {
  return { workers: new Workers(connectionsOf[kind]), sending: new Set() };
}
