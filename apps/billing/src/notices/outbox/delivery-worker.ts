import { type DeliveryView } from '@app/contracts';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Polling } from '../../polling/polling.js';
import { Deliverer } from './deliverer.js';
import { DeliveriesRepository } from './deliveries.repository.js';

/** Attempts that a replica makes at once: webhooks that hang, however many, take no place of a mail. */
const lanes = { mail: 8, webhook: 24 } as const satisfies Record<Channel, number>;
const channels = ['mail', 'webhook'] as const;
const pollMs = 1_000;

type Channel = DeliveryView['channel'];

/** Delivers what is in the outbox, beside the worker of every other replica: mail and webhooks each in a lane of its own. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryWorker.name);
  private readonly lanes: Readonly<Record<Channel, Set<Promise<void>>>> = {
    mail: new Set(),
    webhook: new Set(),
  };
  private readonly polling = new Polling({
    look: () => this.look(),
    pauseMs: pollMs,
    problem: 'The outbox could not be read.',
  });

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly deliverer: Deliverer,
  ) {}

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  /** Attempts that are under way are finished. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.polling.stop();
    await this.idle();
  }

  /** Begins an attempt for each due delivery, as far as its lane has room; resolves to their number. */
  async look(): Promise<number> {
    let begun = 0;
    for (const channel of channels) begun += await this.fill(channel);
    return begun;
  }

  /** All attempts that are under way have ended. */
  async idle(): Promise<void> {
    await Promise.all(channels.flatMap((channel) => [...this.lanes[channel]]));
  }

  private async fill(channel: Channel): Promise<number> {
    const inProgress = this.lanes[channel];
    const free = lanes[channel] - inProgress.size;
    const claimed = free > 0 ? await this.deliveries.claim(channel, free) : [];
    for (const delivery of claimed) {
      const attempt: Promise<void> = this.deliverer
        .attempt(delivery)
        .catch((error: unknown) => {
          this.logger.error(new Error('The end of a delivery was not recorded.', { cause: error }));
        })
        .finally(() => inProgress.delete(attempt));
      inProgress.add(attempt);
    }
    return claimed.length;
  }
}
