import { Inject, Injectable, Logger } from '@nestjs/common';
import { gauge } from '#platform';
import { TransactionRunner } from '#platform/database';
import { advisoryLocks } from '../database/advisory-locks.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../ledger/rules/ledger-options.js';

/** One kind of sweep work. It must be idempotent and safe to kill at any point. */
export interface SweepStep {
  /** For the log. */
  readonly name: string;
  /** Processes about `batchSize` due items at most, in transactions of well under 2 s; returns 0 when nothing is left. */
  run(batchSize: number): Promise<number>;
}

/** Injection token of the steps (`SweepStep[]`), in the order in which they run. */
export const SWEEP_STEPS = Symbol('SWEEP_STEPS');

const batchSize = 500;

/**
 * Records what falls due by time: voids, expiries, grants. No balance depends on it, because balances are exact at
 * any instant; it keeps the ledger's entries up to date. One replica at a time, in small batches.
 */
@Injectable()
export class SweepService {
  private readonly logger = new Logger(SweepService.name);
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

  /** One sweep that stops after the current batch when it is aborted; resolves to whether work was left undone. */
  async run(signal: AbortSignal): Promise<boolean> {
    await this.sweep(signal);
    return this.isUnfinished;
  }

  /**
   * One sweep: runs each step until it has nothing left, or for a sweep's period. So neither a failing step, which is
   * logged, nor one with much to do keeps the others from running. Returns the number of items of each step; none while
   * another replica sweeps.
   */
  async sweep(signal?: AbortSignal): Promise<Record<string, number>> {
    const done: Record<string, number> = {};
    let failed = 0;
    this.isUnfinished = false;
    for (const step of this.steps) {
      if (signal?.aborted) break;
      try {
        done[step.name] = await this.runStep(step, signal);
      } catch (error) {
        failed += 1;
        this.logger.error(new Error(`The step "${step.name}" failed.`, { cause: error }));
      }
    }
    if (failed === 0) this.lastSuccess = Date.now() / 1_000;
    return done;
  }

  private async runStep(step: SweepStep, signal: AbortSignal | undefined): Promise<number> {
    let total = 0;
    const until = performance.now() + this.options.sweepPeriodMs;
    while (!signal?.aborted) {
      const done = await this.transactions.runAlone(advisoryLocks.sweep, () => step.run(batchSize));
      if (!done) break;
      total += done;
      if (performance.now() > until) {
        this.isUnfinished = true;
        break;
      }
    }
    return total;
  }
}
