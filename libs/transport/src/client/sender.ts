import { type Door, type QueueName } from '#contracts';
import { type Result } from 'ioredis';
import { unavailable } from '../transport-errors.js';
import { corkWrites, type RedisConnection } from '../redis/create-redis.js';
import { keys } from '../redis/keys.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    pushRequest(
      replicas: string,
      queue: string,
      frame: Buffer,
      queueMax: number,
      remainingMs: number,
    ): Result<number, Context>;
    countReplicas(replicas: string): Result<number, Context>;
  }
}

/**
 * One script per send: checks for a live replica and for space in the queue, then pushes. The deadline, in Redis time,
 * is written in front of the frame. A bound of 0 means none.
 */
const pushRequestScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('ZCOUNT', KEYS[1], now, '+inf') == 0 then return -1 end
local bound = tonumber(ARGV[2])
if bound > 0 and redis.call('LLEN', KEYS[2]) >= bound then return -2 end
redis.call('LPUSH', KEYS[2], string.format('%d', now + ARGV[3]) .. ' ' .. ARGV[1])
return 0`;

const countReplicasScript = `
local time = redis.call('TIME')
return redis.call('ZCOUNT', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000), '+inf')`;

interface Outgoing {
  readonly service: string;
  readonly queue: QueueName;
  readonly frame: Buffer;
  readonly remainingMs: number;
}

/** Pushes requests to the queues that the services have for one door. */
export class Sender {
  constructor(
    private readonly redis: RedisConnection,
    private readonly door: Door,
    private readonly queueMax: number,
  ) {
    redis.defineCommand('pushRequest', { numberOfKeys: 2, lua: pushRequestScript });
    redis.defineCommand('countReplicas', { numberOfKeys: 1, lua: countReplicasScript });
  }

  /** Number of replicas with a live lease, by the clock of Redis; with `revision` only those that know it. */
  liveReplicas(service: string, revision?: number): Promise<number> {
    return this.redis.countReplicas(keys.replicas(service, revision));
  }

  /** Throws `unavailable` when no replica is alive, the queue is at its bound or Redis does not answer. */
  async send({ service, queue, frame, remainingMs }: Outgoing): Promise<void> {
    const bound = queue === 'settlements' ? 0 : this.queueMax;
    corkWrites(this.redis);
    const key = keys.queue(service, this.door, queue);
    const result = await this.redis
      .pushRequest(keys.replicas(service), key, frame, bound, Math.ceil(remainingMs))
      .catch((cause: unknown) => {
        throw unavailable('redis is unreachable', cause);
      });
    if (result === -1) throw unavailable(`${service} has no live replica`);
    if (result === -2) throw unavailable(`the queue of ${service} is full`);
  }
}
