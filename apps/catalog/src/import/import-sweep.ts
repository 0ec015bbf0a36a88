import { LOGGER, type Logger } from '@app/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { autocommitQuery } from '../database/query.js';
import {
  findAbandoned,
  forgetImport,
  forgetOldDeletions,
  forgetOrphanedClaims,
} from './imports.repository.js';

const periodMs = 10 * 60_000;

/** Forgets abandoned imports and old deletions every ten minutes; two replicas that do it at once do no harm. */
@Injectable()
export class ImportSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private sweeping: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping = this.run().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'abandoned imports not swept'),
      );
    }, periodMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    return this.sweeping;
  }

  /** One sweep. */
  async run(): Promise<void> {
    const query = autocommitQuery(this.dataSource);
    for (const importId of await findAbandoned(query)) await forgetImport(query, importId);
    await forgetOrphanedClaims(query);
    await forgetOldDeletions(query);
  }
}
