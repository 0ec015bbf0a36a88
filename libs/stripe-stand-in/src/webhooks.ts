import { createHmac } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { newId, type StandInEvent, type ThinEvent } from './books/objects.js';

export interface Endpoint {
  readonly url: string;
  /** `whsec_...` */
  readonly secret: string;
}

/** Whether events are sent at once, held until they are released, or dropped. */
export interface Manner {
  readonly mode: 'send' | 'hold' | 'drop';
  /** How often each event is sent. */
  readonly copies: number;
  /** Time before each delivery, ms. */
  readonly delayMs: number;
}

/** With the object as it was, or only its name. */
export type AnyEvent = StandInEvent | ThinEvent;

export type ReleaseOrder = 'as happened' | 'reversed' | 'shuffled';

export interface Delivery {
  readonly event: AnyEvent;
  /** The status of the answer; 0: none. */
  readonly status: number;
  /** `null` when there was none. */
  readonly body: string | null;
}

const attemptsMax = 20;
const firstPauseMs = 100;
const pauseMaxMs = 5_000;
const answerTimeoutMs = 20_000;

/** Sends events to a shop as signed requests, and retries after a pause unless the answer is a success. */
export class Webhooks {
  manner: Manner = { mode: 'send', copies: 1, delayMs: 0 };
  /** Default: none; then nothing is sent. */
  endpoint: Endpoint | undefined;
  /** Every attempt, in the order of the answers. */
  readonly deliveries: Delivery[] = [];
  private held: AnyEvent[] = [];
  private readonly inProgress = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();

  constructor() {
    // Each delivery in progress listens.
    setMaxListeners(0, this.stopping.signal);
  }

  /** The held events, in the order in which they happened. */
  get waiting(): readonly AnyEvent[] {
    return this.held;
  }

  handleEvent(event: AnyEvent): void {
    if (this.manner.mode === 'hold') this.held.push(event);
    else if (this.manner.mode === 'send') this.send(event);
  }

  /** Sends the held events, with the configured copies, in this order. */
  release(order: ReleaseOrder = 'as happened'): void {
    const events = this.held;
    this.held = [];
    if (order === 'reversed') events.reverse();
    if (order === 'shuffled') events.sort(() => Math.random() - 0.5);
    for (const event of events) this.send(event);
  }

  /** Drops held events. */
  drop(): void {
    this.held = [];
  }

  /** Sends an event once, now, whatever the manner, and resolves to the answer. */
  async deliver(event: AnyEvent): Promise<Delivery> {
    const { endpoint } = this;
    if (!endpoint) throw new Error('there is no endpoint to send webhooks to');
    const delivery = { event, ...(await post(endpoint, event)) };
    this.deliveries.push(delivery);
    return delivery;
  }

  /** Resolves once everything has been sent. */
  async settled(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.all(this.inProgress);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.settled();
  }

  private send(event: AnyEvent): void {
    for (let copy = 0; copy < this.manner.copies; copy++) {
      const sent = this.sendUntilAccepted(event).finally(() => this.inProgress.delete(sent));
      this.inProgress.add(sent);
    }
  }

  private async sendUntilAccepted(event: AnyEvent): Promise<void> {
    await this.pause(this.manner.delayMs);
    let pauseMs = firstPauseMs;
    for (let attempt = 1; attempt <= attemptsMax && !this.stopping.signal.aborted; attempt++) {
      if (!this.endpoint) return;
      const { status } = await this.deliver(event);
      if (status >= 200 && status < 300) return;
      await this.pause(pauseMs);
      pauseMs = Math.min(pauseMaxMs, pauseMs * 2);
    }
  }

  /** Ends early when the stand-in stops. */
  private async pause(ms: number): Promise<void> {
    if (ms > 0) await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

async function post({ url, secret }: Endpoint, event: AnyEvent): Promise<Omit<Delivery, 'event'>> {
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
    return { status: response.status, body: await response.text() };
  } catch {
    // A shop that can't be reached gets the event again later.
    return { status: 0, body: null };
  }
}

/** An event of Stripe's newer API, of an endpoint that was set up for these. */
export function thinEvent(type = 'v1.billing.meter.no_meter_found'): ThinEvent {
  return {
    id: newId('evt_test'),
    object: 'v2.core.event',
    created: new Date().toISOString(),
    livemode: false,
    related_object: null,
    type,
  };
}
