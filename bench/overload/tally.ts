import { performance } from 'node:perf_hooks';
import { percentile } from '../percentile.js';
import { type GroupResult } from './load.js';

/** What became of the calls of one group that ended within a span of time. */
export class Tally {
  private readonly answeredMs: number[] = [];
  private readonly refusedMs: number[] = [];
  private readonly others: Record<string, number> = {};
  private calls = 0;

  /** `from` and `until` as `performance.now()` shows them. */
  constructor(
    private readonly name: string,
    private readonly from: number,
    private readonly until: number,
  ) {}

  /** `outcome` is a status, or what went wrong. */
  ended(outcome: number | string, sentAt: number): void {
    this.calls += 1;
    const now = performance.now();
    if (now < this.from || now > this.until) return;
    if (outcome === 200) this.answeredMs.push(now - sentAt);
    else if (outcome === 503) this.refusedMs.push(now - sentAt);
    else this.others[outcome] = (this.others[outcome] ?? 0) + 1;
  }

  result(): GroupResult {
    return {
      name: this.name,
      calls: this.calls,
      answered: this.answeredMs.length,
      refused: this.refusedMs.length,
      others: this.others,
      answeredMeanMs: this.answeredMs.reduce((sum, ms) => sum + ms, 0) / Math.max(1, this.answeredMs.length),
      answeredP50Ms: percentile(this.answeredMs, 0.5),
      answeredP99Ms: percentile(this.answeredMs, 0.99),
      refusedP50Ms: percentile(this.refusedMs, 0.5),
      refusedP99Ms: percentile(this.refusedMs, 0.99),
    };
  }
}
