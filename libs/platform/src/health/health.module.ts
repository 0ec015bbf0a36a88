import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { CONFIG } from '../config/config.module.js';
import { HealthChecks } from './health-checks.js';
import { startInternalServer } from './internal-server.js';

interface InternalAddress {
  readonly INTERNAL_HOST: string;
  readonly INTERNAL_PORT: number;
}

const INTERNAL_SERVER = Symbol('INTERNAL_SERVER');

/** Closes the internal port last: health and metrics can be asked for while everything else stops. */
@Injectable()
class InternalServerLifecycle implements OnApplicationShutdown {
  constructor(@Inject(INTERNAL_SERVER) private readonly server: FastifyInstance) {}

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}

/**
 * The internal port with health and metrics. It is an asynchronous provider, so that it answers while the other modules
 * still wait for what they need; they add their checks to `HealthChecks` as soon as they have them.
 */
@Global()
@Module({
  providers: [
    HealthChecks,
    {
      provide: INTERNAL_SERVER,
      inject: [CONFIG, HealthChecks],
      useFactory: (config: InternalAddress, checks: HealthChecks) =>
        startInternalServer({ host: config.INTERNAL_HOST, port: config.INTERNAL_PORT, checks }),
    },
    InternalServerLifecycle,
  ],
  exports: [HealthChecks],
})
export class HealthModule {}
