import { type Redis } from 'ioredis';

const refreshPeriodMs = 10_000;

/**
 * Redis time on this host, in ms: the offset is measured against a monotonic clock, so neither a wrong host clock nor a
 * step of it matters.
 */
export class RedisClock {
  private offsetMs = 0;
  private timer?: NodeJS.Timeout;

  constructor(private readonly redis: Redis) {}

  now(): number {
    return performance.now() + this.offsetMs;
  }

  /** Measures now, and again every 10 s and after each reconnection. */
  async start(): Promise<void> {
    await this.measure();
    this.redis.on('ready', this.refresh);
    this.timer = setInterval(this.refresh, refreshPeriodMs);
  }

  stop(): void {
    clearInterval(this.timer);
    this.redis.off('ready', this.refresh);
  }

  private readonly refresh = (): void => {
    // A failed measurement keeps the offset of the last one; the next tick measures again.
    this.measure().catch(() => undefined);
  };

  private async measure(): Promise<void> {
    const sent = performance.now();
    const [seconds, microseconds] = await this.redis.time();
    const received = performance.now();
    this.offsetMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - (sent + received) / 2;
  }
}
