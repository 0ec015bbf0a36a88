import { Client, type ClientConfig } from 'pg';

/**
 * A connection with an error listener from the start. Without it, a connection that the server closes as soon as it is
 * made, before the pool listens, would end the process. The next statement on it fails instead.
 */
export class WatchedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
