import { type ShutdownTimes } from '@app/platform';

/** A phase of a shutdown, by what is true at its end. */
type Phase = 'drained' | 'answered' | 'settled';

/** The one shutdown of this process: whether it has begun, and how much time each of its phases has left. */
export class Shutdown {
  private begunAt: number | null = null;

  constructor(private readonly times: ShutdownTimes) {}

  begin(): void {
    this.begunAt ??= performance.now();
  }

  get hasBegun(): boolean {
    return this.begunAt !== null;
  }

  /** Time until the phase has to be over, ms. What the phases before did not need is part of it. */
  msUntil(phase: Phase): number {
    if (this.begunAt === null) throw new Error('the phases of a shutdown are counted from its beginning');
    return Math.max(0, this.begunAt + this.times[`${phase}Ms`] - performance.now());
  }
}
