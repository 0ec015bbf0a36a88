import { Client, type ClientConfig, type DatabaseError, type PoolConfig } from 'pg';

/** A database, and what holds for each connection to it. */
export interface ConnectionOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Server settings of every session, for example `{ lock_timeout: '1000' }`. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
  /**
   * A statement unanswered for this long closes its connection: the server hangs or the network is down. Default:
   * never.
   */
  readonly answerTimeoutMs?: number;
}

const connectTimeoutMs = 2_000;

/** The options of the driver for a pool of such connections, without their place. */
export function driverOptions({
  applicationName,
  sessionSettings = {},
  answerTimeoutMs,
}: Omit<ConnectionOptions, 'url'>): PoolConfig {
  const settings = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`);
  return {
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    options: settings.join(' '),
    keepAlive: true,
    Client: WatchedClient,
    ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
  };
}

const readOnlySqlTransaction = '25006';

/**
 * A connection with an error listener from the start. Without it, a connection that the server closes as soon as it is
 * made, before the pool listens, would end the process. The next statement on it fails instead.
 *
 * It ends when a write meets a server that only reads: the address led to a standby, and a new connection may reach the
 * primary. A busy pool would keep this one forever.
 */
export class WatchedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    this.connection.on('errorMessage', ({ code }: DatabaseError) => {
      if (code === readOnlySqlTransaction) void this.end();
    });
  }
}
