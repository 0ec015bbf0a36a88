import { gauge } from '#platform';

/** Checks that Redis is reachable over every connection of this process. */
export class RedisHealth {
  private readonly connections: { isReady: () => boolean; ping: () => Promise<unknown> }[] = [];

  constructor() {
    gauge('redis_connected', '1 when every connection to Redis is up, else 0.', () =>
      Number(this.isConnected),
    );
  }

  /** `ping` throws when Redis does not answer: a server that hangs keeps its connections open. */
  watch(isReady: () => boolean, ping: () => Promise<unknown> = () => Promise.resolve()): void {
    this.connections.push({ isReady, ping });
  }

  get isConnected(): boolean {
    return this.connections.every(({ isReady }) => isReady());
  }

  /** `null` when healthy, else the problem. Throws when Redis does not answer. */
  async check(): Promise<string | null> {
    if (!this.isConnected) return 'not connected';
    await Promise.all(this.connections.map(({ ping }) => ping()));
    return this.isConnected ? null : 'not connected';
  }
}
