import { gauge } from '#platform';

/** The part of a Redis connection that health checks use. */
export interface WatchedConnection {
  readonly isReady: boolean;
  /** Throws when Redis does not answer: a server that hangs keeps its connections open. */
  readonly ping?: () => Promise<unknown>;
}

/** Checks that Redis is reachable over every connection of this process. */
export class RedisHealth {
  private readonly connections = new Set<WatchedConnection>();

  constructor() {
    gauge('redis_connected', '1 when every connection to Redis is up, else 0.', () =>
      Number(this.isConnected),
    );
  }

  watch(connection: WatchedConnection): void {
    this.connections.add(connection);
  }

  get isConnected(): boolean {
    return [...this.connections].every(({ isReady }) => isReady);
  }

  /** `null` when healthy, else the problem. Throws when Redis does not answer. */
  async check(): Promise<string | null> {
    if (!this.isConnected) return 'not connected';
    await Promise.all([...this.connections].map(async (connection) => connection.ping?.()));
    return this.isConnected ? null : 'not connected';
  }
}
