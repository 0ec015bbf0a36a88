import { setTimeout as delay } from 'node:timers/promises';
import { settle, type SettleReply, type Settlement } from '#contracts';
import { gauge, histogram, LOGGER, type Logger, outsideOfSpans, within } from '#platform';
import { ServiceClient } from '#transport';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';

const lag = histogram(
  'settlement_lag_seconds',
  'Time from the end of a call until billing has acknowledged its settlement.',
);

interface Waiting {
  readonly settlement: Settlement;
  readonly since: number;
}

const batchMax = 500;
/**
 * No client waits for a settlement, and each message costs all services some work. But calls whose settlements a killed
 * gateway has not sent are not paid, so it must stay short.
 */
const gatherMs = 50;
/** Far more than a gateway can have open within the pending time-out; beyond it billing voids by itself. */
const waitingMax = 100_000;
const retryDelaysMs = [50, 100, 200, 400, 800, 1_000];

/**
 * Sends settlements to billing, collected for 50 ms and repeated until acknowledged. An undelivered settlement costs
 * the customer nothing: an unsettled charge is voided by its time-out.
 */
@Injectable()
export class Settler {
  private readonly waiting: Waiting[] = [];
  private running?: Promise<void>;

  constructor(
    @Inject(ServiceClient) private readonly services: Pick<ServiceClient, 'request'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn' | 'error'>,
  ) {
    gauge('settlements_waiting', 'Settlements that billing has not acknowledged.', () => this.waiting.length);
  }

  settle(settlement: Settlement): void {
    if (this.waiting.length >= waitingMax) {
      const { charge_id } = settlement;
      this.log('error', { charge_id }, 'too many settlements are waiting: left to the time-out');
      return;
    }
    this.waiting.push({ settlement, since: performance.now() });
    this.running ??= outsideOfSpans(() => this.run());
  }

  /** Resolves when all settlements have been acknowledged, including later ones, or after `withinMs`. */
  async flush(withinMs: number): Promise<void> {
    await within(withinMs, this.idle());
    const settlements = this.waiting.length;
    if (settlements > 0) this.log('warn', { settlements }, 'left to the time-out');
  }

  private async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  /** Never rejects. Nothing can come between its last look at what waits and `running` being taken back. */
  private async run(): Promise<void> {
    let failures = 0;
    while (this.waiting.length > 0) {
      if (this.waiting.length < batchMax) await delay(gatherMs);
      const batch = this.waiting.slice(0, batchMax);
      const reply = await this.send(batch);
      if (reply === null) {
        await delay(retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)]);
        failures += 1;
      } else {
        this.waiting.splice(0, batch.length);
        failures = 0;
        this.report(batch, reply);
      }
    }
    this.running = undefined;
  }

  /** `null` when billing has not acknowledged. */
  private async send(batch: readonly Waiting[]): Promise<SettleReply | null> {
    try {
      const settlements = batch.map(({ settlement }) => settlement);
      return await this.services.request(settle, { settlements }, { requestId: uuidv7() });
    } catch (error) {
      this.log('warn', { err: error, settlements: this.waiting.length }, 'settlements not acknowledged yet');
      return null;
    }
  }

  private report(batch: readonly Waiting[], reply: SettleReply): void {
    try {
      for (const { since } of batch) lag.observe((performance.now() - since) / 1_000);
      for (const result of reply.results) this.reportOne(result);
    } catch (error) {
      this.log('error', { err: error }, 'the acknowledgement of settlements cannot be read');
    }
  }

  /** A post that came too late is a success that was not paid for: our loss, and worth a look. */
  private reportOne({ charge_id, result }: SettleReply['results'][number]): void {
    if (result === 'expired') this.log('warn', { charge_id }, 'leaked: the post came after the time-out');
    else if (result === 'already_posted' || result === 'unknown_charge') {
      this.log('error', { charge_id, result }, 'unexpected outcome of a settlement');
    }
  }

  /** A failing log must not stop settling. */
  private log(level: 'warn' | 'error', fields: object, text: string): void {
    try {
      this.logger[level](fields, text);
    } catch {
      return;
    }
  }
}
