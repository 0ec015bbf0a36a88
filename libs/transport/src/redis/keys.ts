import { type Door, type QueueName } from '#contracts';

/** Every Redis key and channel of the transport. The braces keep the keys of one service in one slot of a Redis Cluster. */
export const keys = {
  /**
   * Sorted set: replica id -> end of its lease, ms of Redis time. With `revision` the leases of replicas that know at least this
   * revision of the messages.
   */
  replicas: (service: string, revision?: number) =>
    `rpc:{${service}}:replicas${revision === undefined ? '' : `:${revision}`}`,
  /** List of requests, newest left, oldest right. */
  queue: (service: string, door: Door, queue: QueueName) => `rpc:{${service}}:${door}:${queue}`,
  /** Per client, service and door, so that each service and each door needs access only to its own. */
  replyChannel: (service: string, door: Door, clientId: string) => `rpc:reply:${service}:${door}:${clientId}`,
  broadcastChannel: (event: string) => `rpc:broadcast:${event}`,
};
