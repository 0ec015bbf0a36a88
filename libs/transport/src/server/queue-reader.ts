import { setTimeout as delay } from 'node:timers/promises';
import { type Logger } from '#platform';
import { connectRedis, type RedisConnection } from '../redis/create-redis.js';

interface QueueReaderOptions {
  readonly queue: string;
  /** Requests that run at once. */
  readonly concurrency: number;
  readonly logger: Logger;
  readonly onRequest: (item: Buffer) => Promise<void>;
}

/** Requests taken with one read, so that one replica does not take a whole burst. */
const fetchCount = 8;
const blockSeconds = 1;
const retryDelayMs = 50;

/** Takes requests from one list over a dedicated connection, up to the concurrency limit. */
export class QueueReader {
  private running = 0;
  private stopping = false;
  private loop?: Promise<void>;
  private onFree?: () => void;
  private readonly inFlight = new Set<Promise<void>>();

  constructor(
    private readonly redis: RedisConnection,
    private readonly options: QueueReaderOptions,
  ) {}

  start(): void {
    this.loop = this.read();
  }

  /** Stops taking requests; resolves when all that were taken have been answered. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.onFree?.();
    await this.loop;
    await Promise.all(this.inFlight);
    this.redis.disconnect();
  }

  private async read(): Promise<void> {
    while (!this.stopping) {
      const free = this.options.concurrency - this.running;
      if (free <= 0) await new Promise<void>((resolve) => (this.onFree = resolve));
      else for (const item of await this.take(Math.min(free, fetchCount))) this.run(item);
    }
  }

  /** Blocks until there is a request, at most a second: so a stopping reader never loses one that Redis has popped. */
  private async take(count: number): Promise<Buffer[]> {
    try {
      if (this.redis.status === 'wait') await connectRedis(this.redis, this.options.logger);
      const taken = await this.redis.blmpopBuffer(
        blockSeconds,
        1,
        this.options.queue,
        'RIGHT',
        'COUNT',
        count,
      );
      return taken ? taken[1] : [];
    } catch (error) {
      this.options.logger.debug({ err: error }, 'queue not read');
      await delay(retryDelayMs);
      return [];
    }
  }

  private run(item: Buffer): void {
    this.running += 1;
    const work = this.options.onRequest(item).finally(() => {
      this.running -= 1;
      this.inFlight.delete(work);
      this.onFree?.();
    });
    this.inFlight.add(work);
  }
}
