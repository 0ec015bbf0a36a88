import { LOGGER, type Logger } from '@app/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ImportsRepository } from './imports.repository.js';

const periodMs = 10 * 60_000;

/** Deletes abandoned imports and old deletions every ten minutes; harmless when two replicas do it at once. */
@Injectable()
export class ImportSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private sweeping: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly imports: ImportsRepository,
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
    for (const importId of await this.imports.findAbandoned()) await this.imports.forget(importId);
    await this.imports.forgetOrphanedClaims();
    await this.imports.forgetOldDeletions();
  }
}
