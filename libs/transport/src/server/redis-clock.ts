import { type RedisConnection } from '../redis/create-redis.js';
import { keys } from '../redis/keys.js';
import { repeat } from './repeat.js';

const refreshPeriodMs = 10_000;

/** Takes a key, so that in a cluster it runs on the node that stamps the deadlines of this service's requests. */
const timeScript = `
local time = redis.call('TIME')
return time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Redis time on this host, ms. The offset is measured against a monotonic clock, so a wrong or stepped host clock has
 * no effect.
 */
export class RedisClock {
  private offsetMs = 0;
  /** Ends the measuring. */
  stop = (): void => undefined;

  constructor(
    private readonly redis: RedisConnection,
    private readonly service: string,
  ) {}

  now(): number {
    return performance.now() + this.offsetMs;
  }

  /** Measures now, every 10 s and after each reconnection. */
  async start(): Promise<void> {
    this.stop = await repeat(this.redis, refreshPeriodMs, () => this.measure());
  }

  /** When it fails, the offset of the last one stays. */
  private async measure(): Promise<void> {
    const sent = performance.now();
    const time = Number(await this.redis.eval(timeScript, 1, keys.replicas(this.service)));
    const received = performance.now();
    this.offsetMs = time - (sent + received) / 2;
  }
}
