import { Cluster } from 'ioredis';
import { type RedisConnection } from './create-redis.js';

interface Subscriber {
  onMessage(channel: string, message: Buffer): void;
  /** Called on each subscription, first or renewed: messages may have been missed before. */
  onSubscribed?(): void;
  /** Called when resubscribing failed; the next reconnection tries again. */
  onFailed(error: unknown): void;
}

/**
 * Subscribes a dedicated connection to sharded channels, again after each reconnection. In a cluster, a message then
 * only passes through the node of its channel; on a single server they are ordinary channels.
 */
export async function subscribeChannels(
  redis: RedisConnection,
  channels: readonly string[],
  subscriber: Subscriber,
): Promise<void> {
  redis.on('smessageBuffer', (channel: Buffer, message: Buffer) =>
    subscriber.onMessage(channel.toString(), message),
  );
  // One by one, because the channels may belong to different nodes.
  const subscribe = async (): Promise<void> => {
    for (const channel of channels) await redis.ssubscribe(channel);
    subscriber.onSubscribed?.();
  };
  await subscribe();
  if (redis instanceof Cluster) redis.on('subscribersReady', () => subscriber.onSubscribed?.());
  else redis.on('ready', () => void subscribe().catch((error: unknown) => subscriber.onFailed(error)));
}
