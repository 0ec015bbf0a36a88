/** How long a line may stay long before that counts as an overload that lasts, and how long it must be over to end, ms. */
const lastingMs = 1_000;
/** A line whose oldest call has waited for less of the budget is short. */
const shortShare = 0.5;

/**
 * Tells a burst, which is worked off, from an overload that lasts (design 10): the line has not been short for a second.
 * It is over once no call has had to be refused for a second.
 */
export class OverloadDetector {
  private shortAt: number;
  /** When a call was refused last, or the overload began. */
  private refusedAt = -Infinity;
  private lasting = false;

  constructor(
    private readonly waitMaxMs: number,
    private readonly now: () => number,
  ) {
    this.shortAt = now();
  }

  /** To be called often while calls wait, and before the first one waits: `oldestSince` is when the oldest one came. */
  observe(oldestSince: number | undefined): void {
    const now = this.now();
    const isShort = oldestSince === undefined || now - oldestSince < this.waitMaxMs * shortShare;
    if (isShort) this.shortAt = now;
    if (this.lasting) {
      if (now - this.refusedAt >= lastingMs) this.lasting = false;
    } else if (now - this.shortAt >= lastingMs) {
      this.lasting = true;
      this.refusedAt = now;
    }
  }

  /** A call was refused because it had waited for too long, or because there was no room for it to wait. */
  refused(): void {
    this.refusedAt = this.now();
  }

  get isLasting(): boolean {
    return this.lasting;
  }
}
