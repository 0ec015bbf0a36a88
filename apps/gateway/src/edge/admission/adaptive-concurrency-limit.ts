export interface AdaptiveConcurrencyLimitOptions {
  readonly min: number;
  readonly max: number;
  /** Monotonic, ms. */
  readonly now?: () => number;
}

interface Estimate {
  /** Answers per second. */
  readonly rate: number;
  readonly at: number;
}

const stepRatio = Math.SQRT2;
const firstLimit = 64;
/** A rate is measured over at least this time and this many answers. */
const windowMs = 400;
const answersMin = 40;
/** A neighbour of the current limit is tried once in this many windows. */
const windowsPerTrial = 4;
/** An estimate expires after this time: services are added, and machines get busy. */
const estimateLifetimeMs = 30_000;
/** After this time without waiting calls the limit is reset: it says nothing about the next load. */
const resetAfterMs = 10_000;
const weightOfNewest = 0.5;
/** A higher limit is chosen for at least 5 % more answers, a lower one unless it costs more than 2 % of them. */
const gainMin = 1.05;
const lossMax = 0.98;

/**
 * The number of calls that may be in progress at once, chosen by its throughput: answers per second, measured while
 * calls wait for a slot. The candidates are steps from `min` to `max`; the neighbours of the current step are tried now
 * and then, and the step with the highest throughput becomes the current one. After a while without waiting calls the
 * limit is reset to its first value: the only sign of a limit that is far too high would be that one key, within its
 * share of it, slows down the others.
 */
export class AdaptiveConcurrencyLimit {
  private readonly steps: readonly number[];
  private readonly estimates = new Map<number, Estimate>();
  private readonly now: () => number;
  /** The current step; another one is in use only during a trial. */
  private defaultStep: number;
  private current: number;
  private readonly firstStep: number;
  private saturatedAt = -Infinity;
  private windows = 0;
  private windowStart = -Infinity;
  private answers = 0;

  constructor({ min, max, now = () => performance.now() }: AdaptiveConcurrencyLimitOptions) {
    const steps = [];
    for (let limit = min; limit < max; limit *= stepRatio) steps.push(Math.round(limit));
    this.steps = [...steps, Math.max(min, max)];
    this.now = now;
    this.firstStep = this.steps.findLastIndex((limit) => limit <= Math.max(min, firstLimit));
    this.defaultStep = this.firstStep;
    this.current = this.firstStep;
  }

  get limit(): number {
    return this.steps[this.current] ?? 1;
  }

  /** Records an answer. Only answers while calls wait (`isSaturated`) measure the limit. */
  recordAnswer(isSaturated: boolean): void {
    if (!isSaturated) this.resetWhenIdle();
    if (!isSaturated || this.windowStart === -Infinity) return this.startWindow(isSaturated);
    this.answers += 1;
    const elapsedMs = this.now() - this.windowStart;
    if (elapsedMs < windowMs || this.answers < answersMin) return;
    this.recordRate((this.answers / elapsedMs) * 1_000);
    this.choose();
    this.startWindow(true);
  }

  private startWindow(isSaturated: boolean): void {
    this.windowStart = isSaturated ? this.now() : -Infinity;
    if (isSaturated) this.saturatedAt = this.windowStart;
    this.answers = 0;
  }

  private resetWhenIdle(): void {
    if (this.now() - this.saturatedAt < resetAfterMs) return;
    this.defaultStep = this.firstStep;
    this.current = this.firstStep;
  }

  private recordRate(rate: number): void {
    const before = this.estimateOf(this.current);
    const weighed = before === undefined ? rate : rate * weightOfNewest + before * (1 - weightOfNewest);
    this.estimates.set(this.current, { rate: weighed, at: this.now() });
  }

  private estimateOf(step: number): number | undefined {
    const estimate = this.estimates.get(step);
    return estimate && this.now() - estimate.at < estimateLifetimeMs ? estimate.rate : undefined;
  }

  private choose(): void {
    this.defaultStep = this.best();
    this.windows += 1;
    this.current = this.defaultStep;
    if (this.windows % windowsPerTrial === 0) this.current = this.leastSampledNeighbour();
  }

  private best(): number {
    const here = this.estimateOf(this.defaultStep) ?? 0;
    const above = this.estimateOf(this.defaultStep + 1) ?? 0;
    const below = this.estimateOf(this.defaultStep - 1) ?? 0;
    if (above >= here * gainMin && above >= below) return this.defaultStep + 1;
    return below > 0 && below >= here * lossMax ? this.defaultStep - 1 : this.defaultStep;
  }

  private leastSampledNeighbour(): number {
    const neighbours = [this.defaultStep + 1, this.defaultStep - 1].filter(
      (step) => this.steps[step] !== undefined,
    );
    const sampledAt = (step: number): number => this.estimates.get(step)?.at ?? -Infinity;
    return neighbours.sort((one, other) => sampledAt(one) - sampledAt(other))[0] ?? this.defaultStep;
  }
}
