import { createHmac } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type StandInEvent } from './books/objects.js';

export interface Endpoint {
  readonly url: string;
  /** `whsec_...` */
  readonly secret: string;
}

export interface Delivery {
  readonly event: StandInEvent;
  /** The status of the answer; 0: none. */
  readonly status: number;
}

const attemptsMax = 20;
const firstPauseMs = 100;
const pauseMaxMs = 5_000;
const answerTimeoutMs = 20_000;

/** Sends events to a shop as signed requests, and retries after a pause unless the answer is a success. */
export class Webhooks {
  /** Whether events are sent or lost. */
  mode: 'send' | 'drop' = 'send';
  /** Where events are sent. Default: nowhere. */
  endpoint: Endpoint | undefined;
  /** Every attempt, in the order of the answers. */
  readonly deliveries: Delivery[] = [];
  private readonly inProgress = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();

  constructor() {
    // Each delivery in progress listens.
    setMaxListeners(0, this.stopping.signal);
  }

  handleEvent(event: StandInEvent): void {
    if (this.mode === 'drop') return;
    const sent = this.sendUntilAccepted(event).finally(() => this.inProgress.delete(sent));
    this.inProgress.add(sent);
  }

  /** Resolves once everything has been sent. */
  async settled(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.all(this.inProgress);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.settled();
  }

  private async sendUntilAccepted(event: StandInEvent): Promise<void> {
    const { signal } = this.stopping;
    for (let attempt = 0; attempt < attemptsMax && this.endpoint && !signal.aborted; attempt += 1) {
      const status = await post(this.endpoint, event);
      this.deliveries.push({ event, status });
      if (status >= 200 && status < 300) return;
      const pauseMs = Math.min(pauseMaxMs, firstPauseMs * 2 ** attempt);
      // Ends early when the stand-in stops.
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** The status of the answer; 0: none, so that the event is sent again later. */
async function post({ url, secret }: Endpoint, event: StandInEvent): Promise<number> {
  const body = JSON.stringify(event, undefined, 2);
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${at},v1=${signature}`,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
}
