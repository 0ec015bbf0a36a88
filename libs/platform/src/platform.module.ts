import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { fastify, type FastifyInstance } from 'fastify';
import { buildInfo } from './build-info.js';
import { answerAll, HealthChecks, runChecks } from './health-checks.js';
import { type Logger } from './logger.js';
import { metricsText } from './metrics.js';

/** Injection token of the service's validated configuration. */
export const CONFIG = Symbol('CONFIG');

/** Injection token of the process's structured logger. */
export const LOGGER = Symbol('LOGGER');

/** Provides the configuration, validated before anything starts, and the structured logger to every module. */
@Global()
@Module({})
export class SettingsModule {
  static forRoot(config: object, logger: Logger): DynamicModule {
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
    ];
    return { module: SettingsModule, providers, exports: providers };
  }
}

interface InternalAddress {
  readonly INTERNAL_HOST: string;
  readonly INTERNAL_PORT: number;
}

const INTERNAL_SERVER = Symbol('INTERNAL_SERVER');

/**
 * Opens the internal port, for operators; it must not be reachable from the internet. It listens while other modules still wait for
 * their dependencies, and knows each check as soon as its module has added it.
 */
async function openInternalPort(
  { INTERNAL_HOST, INTERNAL_PORT }: InternalAddress,
  checks: HealthChecks,
): Promise<FastifyInstance> {
  const server = fastify({ logger: false });
  server.get('/health/live', () => ({ status: 'ok', checks: {}, ...buildInfo }));
  server.get('/health/ready', async (_request, reply) => {
    const [health, details] = await Promise.all([runChecks(checks.ready), answerAll(checks.details)]);
    const status = health.status === 'ok' ? 200 : 503;
    return reply.code(status).send({ ...health, ...buildInfo, ...details });
  });
  server.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metricsText();
    return reply.type(contentType).send(text);
  });
  await server.listen({ host: INTERNAL_HOST, port: INTERNAL_PORT });
  return server;
}

/**
 * What every service has: its configuration, its logger, and the internal port. That answers `/health/live` (the event
 * loop runs), `/health/ready` (200, or 503 with the reason of each failing check), both with
 * the version and the commit, and `/metrics`. Other modules add their checks to `HealthChecks`.
 */
@Global()
@Module({
  providers: [
    HealthChecks,
    { provide: INTERNAL_SERVER, inject: [CONFIG, HealthChecks], useFactory: openInternalPort },
  ],
  exports: [HealthChecks],
})
export class PlatformModule implements OnApplicationShutdown {
  static forRoot(config: object, logger: Logger): DynamicModule {
    return { module: PlatformModule, imports: [SettingsModule.forRoot(config, logger)] };
  }

  constructor(@Inject(INTERNAL_SERVER) private readonly server: FastifyInstance) {}

  /** Closes the internal port last: health and metrics stay available while everything else stops. */
  onApplicationShutdown(): Promise<void> {
    return this.server.close();
  }
}
