import { Client, type ClientConfig } from 'pg';

/**
 * A connection whose failures always have a listener. One that the server ends in the very moment in which it is made has not
 * reached anybody who listens, and would end the process; whoever uses it next is told.
 */
export class WatchedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
