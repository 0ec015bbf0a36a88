import { Cluster } from 'ioredis';
import { type RedisConnection } from './create-redis.js';

interface Hearing {
  receive(channel: string, message: Buffer): void;
  /** The subscription stands, for the first time or again: messages may have been missed before. */
  standing?(): void;
  /** It does not stand again yet; the next reconnection tries anew. */
  failed(error: unknown): void;
}

/**
 * Subscribes a connection of its own to sharded channels, and again after each reconnection. In a cluster a message then
 * crosses only the node that its channel belongs to; on a single server they are like other channels.
 */
export async function hearChannels(
  redis: RedisConnection,
  channels: readonly string[],
  hearing: Hearing,
): Promise<void> {
  redis.on('smessageBuffer', (channel: Buffer, message: Buffer) =>
    hearing.receive(channel.toString(), message),
  );
  // One by one: the channels may belong to different nodes.
  const subscribe = async (): Promise<void> => {
    for (const channel of channels) await redis.ssubscribe(channel);
    hearing.standing?.();
  };
  await subscribe();
  if (redis instanceof Cluster) redis.on('subscribersReady', () => hearing.standing?.());
  else redis.on('ready', () => void subscribe().catch((error: unknown) => hearing.failed(error)));
}
