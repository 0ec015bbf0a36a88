import { Logger } from '@nestjs/common';

/** Work that a replica has claimed and is doing, at most `max` at once. */
export class ClaimedWork<Claim> {
  private readonly logger = new Logger(ClaimedWork.name);
  private readonly inProgress = new Set<Promise<void>>();

  /** `onEnd` is called when there is room for one more. */
  constructor(
    private readonly max: number,
    private readonly onEnd: () => void = () => undefined,
  ) {}

  /**
   * Claims as much as there is room for and begins it; resolves to how much that was. When `work` fails, its outcome was not recorded:
   * it is logged, and done again when its lease ends.
   */
  async fill(
    claim: (free: number) => Promise<readonly Claim[]>,
    work: (claim: Claim) => Promise<void>,
  ): Promise<number> {
    const free = this.max - this.inProgress.size;
    const claims = free > 0 ? await claim(free) : [];
    for (const each of claims) {
      const ended: Promise<void> = work(each)
        .catch((error: unknown) =>
          this.logger.error(new Error('The outcome of claimed work was not recorded.', { cause: error })),
        )
        .finally(() => {
          this.inProgress.delete(ended);
          this.onEnd();
        });
      this.inProgress.add(ended);
    }
    return claims.length;
  }

  /** Resolves once nothing is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.inProgress);
  }
}
