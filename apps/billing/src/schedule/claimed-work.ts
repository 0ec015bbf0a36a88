/** Work that a replica has claimed and is doing, at most `max` at once. */
export class ClaimedWork<Claim> {
  private readonly inProgress = new Map<Claim, Promise<void>>();

  /** `onEnd` is called when there is room for one more. */
  constructor(
    private readonly max: number,
    private readonly onEnd: () => void = () => undefined,
  ) {}

  get claims(): readonly Claim[] {
    return [...this.inProgress.keys()];
  }

  /** Claims as much as there is room for and begins it; resolves to how much that was. `work` records its own errors. */
  async fill(
    claim: (free: number) => Promise<readonly Claim[]>,
    work: (claim: Claim) => Promise<void>,
  ): Promise<number> {
    const free = this.max - this.inProgress.size;
    const claims = free > 0 ? await claim(free) : [];
    for (const each of claims) {
      const ended = work(each).finally(() => {
        this.inProgress.delete(each);
        this.onEnd();
      });
      this.inProgress.set(each, ended);
    }
    return claims.length;
  }

  /** Resolves once nothing is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.inProgress.values());
  }
}
