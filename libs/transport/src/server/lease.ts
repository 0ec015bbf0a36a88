import { type Logger } from '#platform';
import { type RedisConnection } from '../redis/create-redis.js';
import { keys } from '../redis/keys.js';

const leaseMs = 2_000;
const renewPeriodMs = 500;

/** Leases are set and checked in Redis time, so host clocks don't matter. Also removes dead replicas. */
const renewScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  redis.call('ZADD', key, now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', key, ARGV[2])
end
return now`;

interface LeaseOptions {
  readonly service: string;
  readonly replicaId: string;
  /** The newest revision of the messages that the replica knows. */
  readonly revision: number;
  readonly logger: Logger;
}

/** Shows senders that a replica of `service` is alive: for 2 s, renewed every 500 ms and after each reconnection. */
export class Lease {
  private timer?: NodeJS.Timeout;
  private readonly keys: string[];

  constructor(
    private readonly redis: RedisConnection,
    private readonly options: LeaseOptions,
  ) {
    const { service, revision } = options;
    // Gateways of the last release and of this version ask for no other.
    const known = [revision - 1, revision].map((asked) => keys.replicasOfRevision(service, asked));
    this.keys = [keys.replicas(service), ...known];
  }

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
    this.renew().catch((error: unknown) => this.options.logger.debug({ err: error }, 'lease not renewed'));
  };

  private async renew(): Promise<void> {
    await this.redis.eval(renewScript, this.keys.length, ...this.keys, this.options.replicaId, leaseMs);
  }
}
