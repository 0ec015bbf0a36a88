import { setTimeout as delay } from 'node:timers/promises';
import { type Logger } from '@app/platform';

interface PollerOptions {
  readonly periodMs: number;
  /** Waits after the first consecutive failure, the second ...; the last one is repeated. Default: the period. */
  readonly retryDelaysMs?: readonly number[];
  /** The log message for a failed step. */
  readonly problem: string;
  readonly logger: Logger;
}

/**
 * Runs a step after every period, and at once when woken. A failed step is retried automatically; consecutive failures
 * are logged once.
 */
export class Poller {
  private readonly stopping = new AbortController();
  private waiting = new AbortController();
  private readonly running: Promise<void>;
  /** Consecutive ones. */
  private failures = 0;

  constructor(
    private readonly step: () => Promise<void>,
    private readonly options: PollerOptions,
  ) {
    this.running = this.run();
  }

  /** Signals that there is work to do; does not end the wait after a failure. */
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
