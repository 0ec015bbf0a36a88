import { gauge } from '@app/platform';

/** A connection to Redis, as far as health is concerned. */
export interface WatchedConnection {
  readonly isReady: boolean;
  /** Throws when Redis does not answer: a server that hangs keeps its connections open. */
  readonly ping?: () => Promise<unknown>;
}

/** Whether Redis can be reached over every connection that this process has to it. */
export class RedisHealth {
  private readonly connections = new Set<WatchedConnection>();

  constructor() {
    gauge('redis_connected', 'Whether every connection to Redis is there: 1, or 0.', () =>
      Number(this.isConnected),
    );
  }

  watch(connection: WatchedConnection): void {
    this.connections.add(connection);
  }

  get isConnected(): boolean {
    return [...this.connections].every(({ isReady }) => isReady);
  }

  /** `null` when all is well, else what is wrong. Throws when Redis does not answer. */
  async check(): Promise<string | null> {
    if (!this.isConnected) return 'not connected';
    await Promise.all([...this.connections].map(async (connection) => connection.ping?.()));
    return this.isConnected ? null : 'not connected';
  }
}
