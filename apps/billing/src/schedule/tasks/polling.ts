import { Logger } from '@nestjs/common';

export interface PollingOptions {
  /** Begins the work that is due; resolves to how much was begun. */
  readonly look: () => Promise<number>;
  /** Between two looks, when the first one has found nothing. */
  readonly pauseMs: number;
  /** For the log, when a look fails. */
  readonly problem: string;
}

/** Looks for work again and again: at once when some was found or somebody knows of some, else after a pause. */
export class Polling {
  private readonly logger = new Logger(Polling.name);
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> | null = null;
  private isStarted = false;
  private isWoken = false;

  constructor(private readonly options: PollingOptions) {}

  start(): void {
    this.isStarted = true;
    this.lookIn(0);
  }

  /** There is something to do. */
  wake(): void {
    this.isWoken = true;
    if (this.isStarted && !this.looking) this.lookIn(0);
  }

  /** Resolves once no look is under way; there is no other one then. */
  async stop(): Promise<void> {
    this.isStarted = false;
    if (this.timer) clearTimeout(this.timer);
    await this.looking;
  }

  private lookIn(waitMs: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.looking = this.look().then((pauseMs) => {
        this.looking = null;
        if (this.isStarted) this.lookIn(pauseMs);
      });
    }, waitMs);
  }

  /** Resolves to the pause after it. */
  private async look(): Promise<number> {
    const { look, pauseMs, problem } = this.options;
    this.isWoken = false;
    try {
      const isFound = (await look()) > 0;
      return isFound || this.isWoken ? 0 : pauseMs;
    } catch (error) {
      this.logger.error(new Error(problem, { cause: error }));
      return pauseMs;
    }
  }
}
