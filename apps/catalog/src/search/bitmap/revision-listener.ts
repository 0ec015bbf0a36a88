import { type DataSource, type QueryRunner } from 'typeorm';
import { type Logger } from '@app/platform';

interface NotifyingClient {
  on(event: 'notification' | 'end' | 'error', listener: () => void): void;
}

const retryMs = 5_000;

/**
 * Calls `wake` when PostgreSQL announces a revision. Only a shortcut: where announcements do not arrive, or while this
 * has no connection, the follower's period is what counts.
 */
export class RevisionListener {
  private runner: QueryRunner | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly wake: () => void,
    private readonly logger: Logger,
  ) {
    void this.listen();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    const { runner } = this;
    this.runner = null;
    await runner?.query('UNLISTEN *').catch(() => undefined);
    await runner?.release();
  }

  private async listen(): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as NotifyingClient;
      await runner.query('LISTEN catalog_revision');
      if (this.isStopped) return await runner.release();
      this.runner = runner;
      client.on('notification', () => this.wake());
      client.on('end', () => this.lost(runner));
      client.on('error', () => this.lost(runner));
    } catch (error) {
      this.logger.debug({ err: error }, 'revisions are not announced');
      await runner.release().catch(() => undefined);
      this.listenLater();
    }
  }

  private lost(runner: QueryRunner): void {
    if (this.runner !== runner) return;
    this.runner = null;
    void runner.release().catch(() => undefined);
    this.listenLater();
  }

  private listenLater(): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.listen(), retryMs);
    this.timer.unref();
  }
}
