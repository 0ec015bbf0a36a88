import { type ShutdownTimes } from '@app/platform';

/** A phase of a shutdown, by what is true at its end. */
type Phase = 'drained' | 'answered' | 'settled';

/** What can't be finished still gets an answer that says so, if it is given up so long before it would be cut off. */
const lastWordsMs = 500;

/** The one shutdown of this process: whether it has begun, and how much time each of its phases has left. */
export class Shutdown {
  private begunAt: number | null = null;
  private readonly timeIsUp = new AbortController();

  constructor(private readonly times: ShutdownTimes) {}

  begin(): void {
    if (this.begunAt !== null) return;
    this.begunAt = performance.now();
    setTimeout(() => this.timeIsUp.abort(), Math.max(0, this.times.answeredMs - lastWordsMs)).unref();
  }

  get hasBegun(): boolean {
    return this.begunAt !== null;
  }

  /** Aborted shortly before what is still in progress is cut off. */
  get giveUp(): AbortSignal {
    return this.timeIsUp.signal;
  }

  /** Time until the phase has to be over, ms. What the phases before did not need is part of it. */
  msUntil(phase: Phase): number {
    if (this.begunAt === null) throw new Error('the phases of a shutdown are counted from its beginning');
    return Math.max(0, this.begunAt + this.times[`${phase}Ms`] - performance.now());
  }
}
