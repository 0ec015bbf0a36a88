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

/**
 * Shows senders that a replica of `service` is alive: for 2 s, renewed every 500 ms and after each reconnection. Returns the
 * function that lets the lease expire: requests queued meanwhile wait for the next replica.
 */
export function startLease(
  redis: RedisConnection,
  { service, replicaId, revision }: LeaseOptions,
): Promise<() => void> {
  // Gateways of the last release and of this version ask for no other.
  const leases = [undefined, revision - 1, revision].map((known) => keys.replicas(service, known));
  return repeat(redis, renewPeriodMs, async () => {
    await redis.eval(renewScript, leases.length, ...leases, replicaId, leaseMs);
  });
}
