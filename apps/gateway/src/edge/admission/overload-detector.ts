/**
 * An overload is lasting after the queue has been long for this time, and over after this time without a refusal, ms.
 */
const lastingMs = 1_000;
/** The queue is short while its oldest call has waited for less than this share of the wait budget. */
const shortShare = 0.5;

/**
 * Distinguishes a burst, which will be worked off, from a lasting overload: the queue has not been short
 * for a second. The overload is over once no call has been refused for a second.
 */
export class OverloadDetector {
  private shortAt: number;
  /** When the last call was refused, or the overload began. */
  private refusedAt = -Infinity;
  private lasting = false;

  constructor(
    private readonly waitMaxMs: number,
    private readonly now: () => number,
  ) {
    this.shortAt = now();
  }

  /**
   * Must be called often while calls wait, and before the first one waits. `oldestSince`: when the oldest one arrived.
   */
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

  /** A call was refused because it had waited too long, or because the queue was full. */
  refused(): void {
    this.refusedAt = this.now();
  }

  get isLasting(): boolean {
    return this.lasting;
  }
}
