import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { gauge } from '@app/platform';
import { TransactionRunner } from '@app/platform/database';
import { LEDGER_OPTIONS, type LedgerOptions } from '../ledger/rules/ledger-options.js';
import { SWEEP_STEPS, type SweepStep } from './tasks/sweep-step.js';

const sweepLock = 4_711_002;
const batchSize = 500;

/**
 * Records what time alone has decided: voids, expiries, grants. No balance depends on it, because balances are exact at
 * any instant; it keeps the ledger's entries up to date. One replica at a time, in small batches.
 */
@Injectable()
export class SweepService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SweepService.name);
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<unknown> = Promise.resolve();
  private stopped = true;
  private isUnfinished = false;
  private lastSuccess: number | undefined;

  constructor(
    private readonly transactions: TransactionRunner,
    @Inject(LEDGER_OPTIONS) private readonly options: LedgerOptions,
    @Inject(SWEEP_STEPS) private readonly steps: readonly SweepStep[],
  ) {
    gauge(
      'sweep_last_success_timestamp_seconds',
      'End of the last sweep of this replica in which every step succeeded or was done by another replica.',
      () => this.lastSuccess,
    );
  }

  /** Sweeps until stopped: a period after the end of each sweep, at once after one that left work undone. */
  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.sweepAndWait();
  }

  /** Stops after the current batch. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    await this.sweeping;
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /**
   * One sweep: runs each step until it has nothing left, or for a sweep's period. So neither a failing step, which is
   * logged, nor one with much to do keeps the others from running. Returns the number of items of each step; none while
   * another replica sweeps.
   */
  async sweep(isStopped: () => boolean = () => false): Promise<Record<string, number>> {
    const done: Record<string, number> = {};
    let failed = 0;
    this.isUnfinished = false;
    for (const step of this.steps) {
      if (isStopped()) break;
      try {
        done[step.name] = await this.runStep(step, isStopped);
      } catch (error) {
        failed += 1;
        this.logger.error(new Error(`The step "${step.name}" failed.`, { cause: error }));
      }
    }
    if (failed === 0) this.lastSuccess = Date.now() / 1_000;
    return done;
  }

  private async runStep(step: SweepStep, isStopped: () => boolean): Promise<number> {
    let total = 0;
    const until = performance.now() + this.options.sweepPeriodMs;
    while (!isStopped()) {
      const done = await this.transactions.runAlone(sweepLock, () => step.run(batchSize));
      if (!done) break;
      total += done;
      if (performance.now() > until) {
        this.isUnfinished = true;
        break;
      }
    }
    return total;
  }

  private sweepAndWait(): void {
    this.sweeping = this.sweep(() => this.stopped).then(() => {
      const waitMs = this.isUnfinished ? 0 : this.options.sweepPeriodMs;
      if (!this.stopped) this.timer = setTimeout(() => this.sweepAndWait(), waitMs);
    });
  }
}
