import { Cluster } from 'ioredis';
import { type RedisConnection } from './create-redis.js';

interface Subscriber {
  onMessage(channel: string, message: Buffer): void;
  /** Subscribed, for the first time or again: messages may have been missed before. */
  onSubscribed?(): void;
  /** Subscribing again failed; the next reconnection tries it once more. */
  onFailed(error: unknown): void;
}

/**
 * Subscribes a connection of its own to sharded channels, and again after each reconnection. In a cluster a message then
 * crosses only the node that its channel belongs to; on a single server they are like other channels.
 */
export async function subscribeChannels(
  redis: RedisConnection,
  channels: readonly string[],
  subscriber: Subscriber,
): Promise<void> {
  redis.on('smessageBuffer', (channel: Buffer, message: Buffer) =>
    subscriber.onMessage(channel.toString(), message),
  );
  // One by one: the channels may belong to different nodes.
  const subscribe = async (): Promise<void> => {
    for (const channel of channels) await redis.ssubscribe(channel);
    subscriber.onSubscribed?.();
  };
  await subscribe();
  if (redis instanceof Cluster) redis.on('subscribersReady', () => subscriber.onSubscribed?.());
  else redis.on('ready', () => void subscribe().catch((error: unknown) => subscriber.onFailed(error)));
}
