import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { type Logger } from '../logger.js';

/** `true`: there is more to do, so the next run begins at once. */
type IsUnfinished = boolean | void;

export interface PeriodicTaskOptions {
  /** One run; `signal` is aborted when the task is stopped, which waits for the run. */
  readonly run: (signal: AbortSignal) => Promise<IsUnfinished>;
  /** Between the end of a run and the start of the next one, ms. */
  readonly intervalMs: number;
  /** Each interval is shorter or longer by up to this share of it, so that replicas don't keep step. Default: 0. */
  readonly jitter?: number;
  /** Waits after the first consecutive failure, the second ...; the last one is repeated. Default: the interval. */
  readonly retryDelaysMs?: readonly number[];
  /** The log message for a failed run. */
  readonly problem: string;
  readonly logger: Logger;
}

/**
 * Work that is repeated: at the start, after every interval, and at once when asked for. Runs never overlap. A failed
 * run is repeated; consecutive failures are logged once, and their end. As a provider it starts and stops with the
 * application; elsewhere `start` and `stop` are called.
 */
export class PeriodicTask implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopping = new AbortController();
  private waiting = new AbortController();
  private running: Promise<void> | null = null;
  /** Consecutive ones. */
  private failures = 0;

  constructor(private readonly options: PeriodicTaskOptions) {}

  onApplicationBootstrap(): void {
    this.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Does nothing when the task has been started already. */
  start(): void {
    if (this.running) return;
    this.stopping = new AbortController();
    this.running = this.repeat(this.stopping.signal);
  }

  /** Resolves when the current run, if any, has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.runNow();
    await this.running;
    this.running = null;
  }

  /** Ends the current interval, or skips the one after the current run; a wait after a failure continues. */
  runNow(): void {
    this.waiting.abort();
  }

  private async repeat(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      this.waiting = new AbortController();
      const isUnfinished = await this.runOnce(stopped);
      if (!isUnfinished) await this.wait(stopped);
    }
  }

  private async runOnce(stopped: AbortSignal): Promise<IsUnfinished> {
    const { run, logger, problem } = this.options;
    try {
      const isUnfinished = await run(stopped);
      if (this.failures > 0) logger.info({ failures: this.failures, problem }, 'works again');
      this.failures = 0;
      return isUnfinished;
    } catch (error) {
      if (this.failures === 0) logger.warn({ err: error }, problem);
      this.failures += 1;
      return false;
    }
  }

  private async wait(stopped: AbortSignal): Promise<void> {
    const { intervalMs, jitter = 0, retryDelaysMs = [] } = this.options;
    const retryMs = retryDelaysMs[Math.min(this.failures, retryDelaysMs.length) - 1];
    const jitteredMs = intervalMs * (1 + jitter * (2 * Math.random() - 1));
    const signal = this.failures === 0 ? this.waiting.signal : stopped;
    await delay(retryMs ?? jitteredMs, undefined, { signal }).catch(() => undefined);
  }
}
