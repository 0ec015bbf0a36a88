import { type Logger } from '@app/platform';
import { type RedisConnection } from '../redis/create-redis.js';
import { keys } from '../redis/keys.js';

const leaseMs = 2_000;
const renewPeriodMs = 500;

/** Leases are set and checked in Redis time, so host clocks don't matter. Also removes dead replicas. */
const renewScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return now`;

/** Tells senders that a replica of `service` is alive: 2 s, renewed every 500 ms and after each reconnection. */
export class Lease {
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly redis: RedisConnection,
    private readonly service: string,
    private readonly replicaId: string,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    await this.renew();
    this.redis.on('ready', this.tick);
    this.timer = setInterval(this.tick, renewPeriodMs);
  }

  /** Lets the lease expire: requests queued meanwhile wait for the next replica. */
  stop(): void {
    clearInterval(this.timer);
    this.redis.off('ready', this.tick);
  }

  private readonly tick = (): void => {
    this.renew().catch((error: unknown) => this.logger.debug({ err: error }, 'lease not renewed'));
  };

  private async renew(): Promise<void> {
    await this.redis.eval(renewScript, 1, keys.replicas(this.service), this.replicaId, leaseMs);
  }
}
