import { type Logger as PlatformLogger, PeriodicTask } from '#platform';
import { Logger } from '@nestjs/common';

const pollMs = 1_000;

interface WorkOptions<Claim> {
  /** How much a replica does at once. */
  readonly max: number;
  /** Claims at most this much of what is due, each for one replica until its lease ends. */
  readonly claim: (free: number) => Promise<readonly Claim[]>;
  readonly work: (claim: Claim) => Promise<void>;
  /** For the log, when nothing could be claimed. */
  readonly problem: string;
  readonly logger: PlatformLogger;
}

/** Work that waits in a table and is claimed by replicas: each polls every second, and when it has room for more. */
export class ClaimedWork<Claim> {
  private readonly logger = new Logger(ClaimedWork.name);
  private readonly inProgress = new Set<Promise<void>>();
  private readonly polling: PeriodicTask;

  constructor(private readonly options: WorkOptions<Claim>) {
    const { problem, logger } = options;
    const run = async () => (await this.claimDue()) > 0;
    this.polling = new PeriodicTask({ run, intervalMs: pollMs, problem, logger });
  }

  start(): void {
    this.polling.start();
  }

  /** Claims nothing more, and resolves once nothing is in progress. */
  async stop(): Promise<void> {
    await this.polling.stop();
    await this.idle();
  }

  /** Something is due: it is claimed without waiting for the next poll. */
  wake(): void {
    this.polling.runNow();
  }

  /**
   * Claims as much as there is room for and starts it; resolves to the number of claims. When `work` fails, its outcome was not recorded:
   * the failure is logged, and the work is done again when its lease ends.
   */
  async claimDue(): Promise<number> {
    const { max, claim, work } = this.options;
    const free = max - this.inProgress.size;
    const claims = free > 0 ? await claim(free) : [];
    for (const each of claims) {
      const ended: Promise<void> = work(each)
        .catch((error: unknown) =>
          this.logger.error(new Error('The outcome of claimed work was not recorded.', { cause: error })),
        )
        .finally(() => {
          this.inProgress.delete(ended);
          this.wake();
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
