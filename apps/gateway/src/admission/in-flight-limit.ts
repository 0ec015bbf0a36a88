interface InFlightLimitOptions {
  readonly floor: number;
  readonly ceiling: number;
  /** Monotonic, ms. */
  readonly now?: () => number;
}

/** To be called when the request has been answered; `kind` groups requests that take about as long as each other. */
export type Leave = (kind: string, outcome: 'served' | 'failed' | 'refused') => void;

const windowMs = 250;
const samplesMin = 5;
/** A median request that takes so many times as long as the fastest ones has been waiting, mostly. */
const slownessMax = 2.5;
/** What a failed request counts as: it waited until somebody gave up. */
const failedSlowness = 10;
const decreaseMost = 0.5;
const increase = 1.1;
/** With room to spare: so that the next burst is let in. */
const increaseWithRoom = 2;
/** How fast the memory of the fastest requests fades, per window: a tenth in 25 s. */
const fading = 1.001;

/**
 * How many requests may be in work at once, found out from how long they take. At first it is `ceiling`, so that a burst is
 * worked off; when requests go on waiting for each other, mostly, it shrinks within a second or two, because more at once
 * would only wait longer; while they don't, it grows again, and after a while without any it begins anew. When
 * nothing is answered any more, nothing more is let in.
 */
export class InFlightLimit {
  private current: number;
  private entered = 0;
  private emptySince = -Infinity;
  private windowStart: number;
  private slownesses: number[] = [];
  /** The fastest requests of each kind, ms. */
  private readonly fastest = new Map<string, number>();
  private readonly now: () => number;

  constructor(private readonly options: InFlightLimitOptions) {
    this.now = options.now ?? (() => performance.now());
    this.current = options.ceiling;
    this.windowStart = this.now();
  }

  get limit(): number {
    return Math.floor(this.current);
  }

  get inFlight(): number {
    return this.entered;
  }

  /** Lets a request in; `null` when there are as many as there may be. */
  enter(): Leave | null {
    const enteredAt = this.now();
    if (this.entered === 0 && enteredAt - this.emptySince >= windowMs) this.beginAnew();
    if (this.entered >= this.limit) return null;
    this.entered += 1;
    return (kind, outcome) => {
      this.entered -= 1;
      // What was refused for its own sake says nothing about how busy the services are.
      if (outcome === 'served') this.slownesses.push(this.slownessOf(kind, this.now() - enteredAt));
      else if (outcome === 'failed') this.slownesses.push(failedSlowness);
      if (this.entered === 0) this.emptySince = this.now();
      if (this.now() - this.windowStart >= windowMs && this.slownesses.length >= samplesMin) this.adapt();
    };
  }

  private slownessOf(kind: string, tookMs: number): number {
    const fastest = Math.min(this.fastest.get(kind) ?? Infinity, tookMs);
    this.fastest.set(kind, fastest);
    return tookMs / Math.max(fastest, 1);
  }

  /** Nothing was in work for a while: the next burst is let in, however slow the last one was. */
  private beginAnew(): void {
    this.current = this.options.ceiling;
    this.slownesses = [];
    this.windowStart = this.now();
  }

  private adapt(): void {
    const sorted = this.slownesses.sort((one, other) => one - other);
    const median = sorted[sorted.length >>> 1] ?? 0;
    const growth = this.entered < this.current / 2 ? increaseWithRoom : increase;
    const factor = median > slownessMax ? Math.max(decreaseMost, slownessMax / median) : growth;
    this.current = Math.min(this.options.ceiling, Math.max(this.options.floor, this.current * factor));
    for (const [kind, ms] of this.fastest) this.fastest.set(kind, ms * fading);
    this.slownesses = [];
    this.windowStart = this.now();
  }
}
