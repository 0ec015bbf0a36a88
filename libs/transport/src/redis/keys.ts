import { type QueueName } from '@app/contracts';

/** Every Redis key and channel of the transport. The braces keep the keys of one service in one slot of a Redis Cluster. */
export const keys = {
  /** Sorted set: replica id -> end of its lease, ms of Redis time. */
  replicas: (service: string) => `rpc:{${service}}:replicas`,
  /** List of requests, newest left, oldest right. */
  queue: (service: string, queue: QueueName) => `rpc:{${service}}:${queue}`,
  /** Of one client for the replies of one service: no other service has to be let onto it. */
  replyChannel: (service: string, clientId: string) => `rpc:reply:${service}:${clientId}`,
  broadcastChannel: (event: string) => `rpc:broadcast:${event}`,
};
