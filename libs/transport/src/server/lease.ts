import { type RedisConnection } from '../redis/create-redis.js';
import { keys } from '../redis/keys.js';
import { repeat } from './repeat.js';

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
}

/** Shows senders that a replica of `service` is alive: for 2 s, renewed every 500 ms and after each reconnection. */
export class Lease {
  /** Lets the lease expire: requests queued meanwhile wait for the next replica. */
  stop = (): void => undefined;
  private readonly keys: string[];

  constructor(
    private readonly redis: RedisConnection,
    private readonly options: LeaseOptions,
  ) {
    const { service, revision } = options;
    // Gateways of the last release and of this version ask for no other.
    const known = [revision - 1, revision].map((asked) => keys.replicas(service, asked));
    this.keys = [keys.replicas(service), ...known];
  }

  async start(): Promise<void> {
    this.stop = await repeat(this.redis, renewPeriodMs, () => this.renew());
  }

  private async renew(): Promise<void> {
    await this.redis.eval(renewScript, this.keys.length, ...this.keys, this.options.replicaId, leaseMs);
  }
}
