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

const step = Math.SQRT2;
const firstLimit = 64;
/** A rate is measured over at least this time and this many answers. */
const windowMs = 400;
const answersMin = 40;
/** A neighbour of the current limit is tried once in this many windows. */
const windowsPerTrial = 4;
/** An estimate expires after this time: services are added, and machines get busy. */
const estimateLifetimeMs = 30_000;
/** After this time without waiting calls the limit is reset: it says nothing about the next load. */
const forgottenAfterMs = 10_000;
const weightOfNewest = 0.5;
/** A higher limit is chosen for at least 5 % more answers, a lower one unless it costs more than 2 % of them. */
const gainMin = 1.05;
const lossMax = 0.98;

/**
 * The number of calls that may be in progress at once, chosen by its throughput: answers per second, measured while
 * calls wait for a slot. The candidates are rungs from `min` to `max`; the neighbours of the current rung are tried now
 * and then, and the rung with the highest throughput becomes the current one. After a while without waiting calls the
 * limit is reset to its first value: the only sign of a limit that is far too high would be that one key, within its
 * share of it, slows down the others.
 */
export class AdaptiveConcurrencyLimit {
  private readonly rungs: readonly number[];
  private readonly estimates = new Map<number, Estimate>();
  private readonly now: () => number;
  /** The current rung; another one is in use only during a trial. */
  private home: number;
  private rung: number;
  private readonly firstRung: number;
  private saturatedAt = -Infinity;
  private windows = 0;
  private windowStart = -Infinity;
  private answers = 0;

  constructor({ min, max, now = () => performance.now() }: AdaptiveConcurrencyLimitOptions) {
    const rungs = [];
    for (let limit = min; limit < max; limit *= step) rungs.push(Math.round(limit));
    this.rungs = [...rungs, Math.max(min, max)];
    this.now = now;
    this.firstRung = this.rungs.findLastIndex((limit) => limit <= Math.max(min, firstLimit));
    this.home = this.firstRung;
    this.rung = this.firstRung;
  }

  get limit(): number {
    return this.rungs[this.rung] ?? 1;
  }

  /** Records an answer. Only answers while calls wait (`isSaturated`) measure the limit. */
  answered(isSaturated: boolean): void {
    if (!isSaturated) this.forgetInTime();
    if (!isSaturated || this.windowStart === -Infinity) return this.beginWindow(isSaturated);
    this.answers += 1;
    const elapsedMs = this.now() - this.windowStart;
    if (elapsedMs < windowMs || this.answers < answersMin) return;
    this.note((this.answers / elapsedMs) * 1_000);
    this.choose();
    this.beginWindow(true);
  }

  private beginWindow(isSaturated: boolean): void {
    this.windowStart = isSaturated ? this.now() : -Infinity;
    if (isSaturated) this.saturatedAt = this.windowStart;
    this.answers = 0;
  }

  private forgetInTime(): void {
    if (this.now() - this.saturatedAt < forgottenAfterMs) return;
    this.home = this.firstRung;
    this.rung = this.firstRung;
  }

  private note(rate: number): void {
    const before = this.estimateOf(this.rung);
    const weighed = before === undefined ? rate : rate * weightOfNewest + before * (1 - weightOfNewest);
    this.estimates.set(this.rung, { rate: weighed, at: this.now() });
  }

  private estimateOf(rung: number): number | undefined {
    const estimate = this.estimates.get(rung);
    return estimate && this.now() - estimate.at < estimateLifetimeMs ? estimate.rate : undefined;
  }

  private choose(): void {
    this.home = this.best();
    this.windows += 1;
    this.rung = this.home;
    if (this.windows % windowsPerTrial === 0) this.rung = this.leastKnownNeighbour();
  }

  private best(): number {
    const here = this.estimateOf(this.home) ?? 0;
    const above = this.estimateOf(this.home + 1) ?? 0;
    const below = this.estimateOf(this.home - 1) ?? 0;
    if (above >= here * gainMin && above >= below) return this.home + 1;
    return below > 0 && below >= here * lossMax ? this.home - 1 : this.home;
  }

  private leastKnownNeighbour(): number {
    const neighbours = [this.home + 1, this.home - 1].filter((rung) => this.rungs[rung] !== undefined);
    const knownAt = (rung: number): number => this.estimates.get(rung)?.at ?? -Infinity;
    return neighbours.sort((one, other) => knownAt(one) - knownAt(other))[0] ?? this.home;
  }
}
