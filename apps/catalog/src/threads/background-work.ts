/** How long after a call the next ones are expected, ms. */
const expectedMs = 1_000;

/**
 * Work that nobody waits for as much as for a search: imports, and the making of segments. While calls come in, one piece
 * of it runs at a time, in the order in which the pieces were given, so that it takes one processor at most and leaves the
 * others to the calls. Without calls nothing waits.
 */
export class BackgroundWork {
  private last: Promise<void> = Promise.resolve();
  private urgent: Promise<void> = Promise.resolve();
  private calledAt = -Infinity;

  /** A consumer's call has come in. */
  noteCall(): void {
    this.calledAt = performance.now();
  }

  run<Result>(piece: () => Promise<Result>): Promise<Result> {
    const result = this.inTurn(this.last, piece);
    this.last = bothEnded(this.last, result);
    return result;
  }

  /** Runs a piece at once; those that have not begun wait for it. */
  runNow<Result>(piece: () => Promise<Result>): Promise<Result> {
    const result = piece();
    this.urgent = bothEnded(this.urgent, result);
    return result;
  }

  private async inTurn<Result>(before: Promise<void>, piece: () => Promise<Result>): Promise<Result> {
    if (this.hasCalls) {
      await before;
      await this.urgent;
    }
    return piece();
  }

  private get hasCalls(): boolean {
    return performance.now() - this.calledAt < expectedMs;
  }
}

/** Without their results, which would otherwise be held by every promise that follows. */
async function bothEnded(one: Promise<unknown>, other: Promise<unknown>): Promise<void> {
  await Promise.allSettled([one, other]);
}
