import { setTimeout as delay } from 'node:timers/promises';
import { type Logger } from '@app/platform';

interface PollerOptions {
  readonly periodMs: number;
  /** Waits after the first failure in a row, the second ...; the last one is repeated. Without them the period. */
  readonly retryDelaysMs?: readonly number[];
  /** What has not been done when a step fails, for the log. */
  readonly problem: string;
  readonly logger: Logger;
}

/**
 * Runs a step again and again: after every period, and at once when woken. A step that fails is tried again by itself; that
 * is logged once, however often it fails until it works again.
 */
export class Poller {
  private readonly stopping = new AbortController();
  private waiting = new AbortController();
  private readonly running: Promise<void>;
  /** In a row. */
  private failures = 0;

  constructor(
    private readonly step: () => Promise<void>,
    private readonly options: PollerOptions,
  ) {
    this.running = this.run();
  }

  /** Says that there is something to do: not that what has failed works again. */
  wake(): void {
    this.waiting.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.waiting = new AbortController();
      await this.runStep();
      await this.wait();
    }
  }

  private async wait(): Promise<void> {
    const { periodMs, retryDelaysMs = [] } = this.options;
    const retryMs = retryDelaysMs[Math.min(this.failures, retryDelaysMs.length) - 1];
    const [ms, { signal }] = retryMs === undefined ? [periodMs, this.waiting] : [retryMs, this.stopping];
    await delay(ms, undefined, { signal }).catch(() => undefined);
  }

  private async runStep(): Promise<void> {
    const { logger, problem } = this.options;
    try {
      await this.step();
      if (this.failures > 0) logger.info({ failures: this.failures, problem }, 'works again');
      this.failures = 0;
    } catch (error) {
      if (this.failures === 0) logger.warn({ err: error }, problem);
      this.failures += 1;
    }
  }
}
