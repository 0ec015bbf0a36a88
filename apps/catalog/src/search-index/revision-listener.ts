import { type Logger } from '#platform';
import { WatchedClient } from '#platform/database';

const retryMs = 5_000;
const connectTimeoutMs = 2_000;

/**
 * Calls `wake` when PostgreSQL announces a revision, over a dedicated direct connection, because poolers do not pass
 * notifications. Only a shortcut: without notifications, the follower polls at its period.
 */
export class RevisionListener {
  private client: WatchedClient | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly wake: () => void,
    private readonly logger: Logger,
  ) {
    void this.listen();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.client?.end();
  }

  private async listen(): Promise<void> {
    try {
      const client = this.connection();
      this.client = client;
      await client.connect();
      await client.query('LISTEN catalog_revision');
      // Earlier notifications are not repeated.
      this.wake();
    } catch (error) {
      this.logger.debug({ err: error }, 'not notified of changes, polling instead');
      this.listenLater();
      await this.client?.end().catch(() => undefined);
    }
  }

  /** Throws when a file named in the URL can't be read, such as a certificate that is being replaced. */
  private connection(): WatchedClient {
    const client = new WatchedClient({
      connectionString: this.databaseUrl,
      application_name: 'catalog-announcements',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
    client.on('notification', () => this.wake());
    client.on('end', () => {
      // A connection that ended slowly has been replaced by then.
      if (this.client === client) this.listenLater();
    });
    return client;
  }

  private listenLater(): void {
    if (this.isStopped || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.listen();
    }, retryMs).unref();
  }
}
