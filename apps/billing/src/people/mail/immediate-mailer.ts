import { setTimeout as delay } from 'node:timers/promises';
import { counter } from '#platform';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { type Mail } from './mail.js';
import { connectionsOf } from './mail-server.js';
import { MailService, RefusedMailError } from './mail.service.js';

type ImmediateMailKind = 'sign_in' | 'invitation';

/** Between the attempts: a minute in all. */
const retryDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Unsent mails of each kind, including those that wait for another attempt. */
const waitingMax = { sign_in: 1_000, invitation: 200 } as const satisfies Record<ImmediateMailKind, number>;

const outcomes = counter(
  'prompt_mails_total',
  'Mails that are sent at once (sign-in, invitations), by outcome: sent, given_up.',
  { outcome: ['sent', 'given_up'] },
);

/**
 * Sends mails right after the reply that they belong to, with retries for a minute. They are kept in memory only, because they may
 * hold secrets; a lost one can be requested again. Each kind has its own queue and workers, so that a sign-in mail is sent at once
 * however many invitations wait. Notices go through the outbox instead.
 */
@Injectable()
export class ImmediateMailer implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ImmediateMailer.name);
  private readonly queues: Readonly<Record<ImmediateMailKind, Queue>> = {
    sign_in: newQueue('sign_in'),
    invitation: newQueue('invitation'),
  };
  private readonly stopped = new AbortController();

  constructor(private readonly mail: MailService) {}

  /** Returns at once; `compose` runs afterwards, and resolves to `null` if there is nothing to send. Failures are logged. */
  sendSoon(kind: ImmediateMailKind, compose: () => Promise<Mail | null>): void {
    const queue = this.queues[kind];
    if (queue.sending.size >= waitingMax[kind]) {
      outcomes.inc({ outcome: 'given_up' });
      this.logger.error(`A mail (${kind}) was dropped: ${waitingMax[kind]} others are waiting to be sent.`);
      return;
    }
    const sent: Promise<void> = this.send(queue, compose).finally(() => queue.sending.delete(sent));
    queue.sending.add(sent);
  }

  /** Finishes the attempts in progress and makes no others. */
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

  /** A mail occupies no worker while it waits for its next attempt. */
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

function newQueue(kind: ImmediateMailKind): Queue {
  return { workers: new Workers(connectionsOf[kind]), sending: new Set() };
}

/** Does a limited number of jobs at once; the others wait, first come, first served. */
class Workers {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((begin) => this.waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
