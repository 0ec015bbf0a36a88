import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Deliverer } from './deliverer.js';
import { DeliveriesRepository } from './deliveries.repository.js';

const slots = 32;
const pollMs = 1_000;

/** Delivers what is in the outbox, beside the worker of every other replica. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);
  private readonly inProgress = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly deliverer: Deliverer,
  ) {}

  onApplicationBootstrap(): void {
    this.lookSoon(0);
  }

  /** Attempts that are under way are finished. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.looking;
    await Promise.all(this.inProgress);
  }

  /** Begins an attempt for each due delivery, as far as there are slots; resolves to their number. */
  async look(): Promise<number> {
    const free = slots - this.inProgress.size;
    const claimed = free > 0 ? await this.deliveries.claim(free) : [];
    for (const delivery of claimed) {
      const attempt: Promise<void> = this.deliverer
        .attempt(delivery)
        .catch((error: unknown) => {
          this.logger.error(new Error('The end of a delivery was not recorded.', { cause: error }));
        })
        .finally(() => this.inProgress.delete(attempt));
      this.inProgress.add(attempt);
    }
    return claimed.length;
  }

  /** All attempts that are under way have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.inProgress);
  }

  private lookSoon(waitMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.looking = this.look().then(
        (begun) => this.lookSoon(begun > 0 ? 0 : pollMs),
        (error: unknown) => {
          this.logger.error(new Error('The outbox could not be read.', { cause: error }));
          this.lookSoon(pollMs);
        },
      );
    }, waitMs);
  }
}
