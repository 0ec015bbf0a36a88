import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { buildInfo } from './build-info.js';
import { answerAll, HealthChecks, runChecks } from './health-checks.js';
import { type Logger } from './logger.js';
import { metricsText } from './metrics.js';

type Answer = (reply: FastifyReply) => Promise<FastifyReply>;

/**
 * The internal port of a process, for operators; must not be reachable from the internet. It answers from the start,
 * and modules add their paths as they become ready.
 */
class InternalServer {
  private readonly answers = new Map<string, Answer>();
  private readonly server: FastifyInstance = fastify({ logger: false });

  constructor() {
    this.server.get('/*', (request: FastifyRequest, reply) => {
      const answer = this.answers.get(new URL(request.url, 'http://internal').pathname);
      return answer ? answer(reply) : reply.callNotFound();
    });
  }

  /** Adds a handler for `GET` of this path. */
  answer(path: string, answer: Answer): void {
    this.answers.set(path, answer);
  }

  async listen(host: string, port: number): Promise<void> {
    await this.server.listen({ host, port });
  }

  async close(): Promise<void> {
    await this.server.close();
  }
}

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

/** Closes the internal port last: health and metrics stay available while everything else stops. */
@Injectable()
class InternalServerLifecycle implements OnApplicationShutdown {
  constructor(@Inject(InternalServer) private readonly server: InternalServer) {}

  onApplicationShutdown(): Promise<void> {
    return this.server.close();
  }
}

/**
 * What every service has: its configuration, its logger, and the internal port. That answers `/health/live` (the event
 * loop runs, and each liveness check passes), `/health/ready` (200, or 503 with the reason of each failing check), both with
 * the version and the commit, and `/metrics`. Other modules add their checks to `HealthChecks`.
 */
@Global()
@Module({
  providers: [
    HealthChecks,
    {
      // Asynchronous, so that the port listens while other modules still wait for their dependencies.
      provide: InternalServer,
      inject: [CONFIG],
      useFactory: async ({ INTERNAL_HOST, INTERNAL_PORT }: InternalAddress) => {
        const server = new InternalServer();
        await server.listen(INTERNAL_HOST, INTERNAL_PORT);
        return server;
      },
    },
    InternalServerLifecycle,
  ],
  exports: [HealthChecks],
})
export class PlatformModule {
  static forRoot(config: object, logger: Logger): DynamicModule {
    return { module: PlatformModule, imports: [SettingsModule.forRoot(config, logger)] };
  }

  constructor(@Inject(InternalServer) server: InternalServer, @Inject(HealthChecks) checks: HealthChecks) {
    server.answer('/health/live', async (reply) => {
      const { isGood, ...health } = await runChecks(checks.live);
      return reply.code(isGood ? 200 : 503).send({ ...health, ...buildInfo });
    });
    server.answer('/health/ready', async (reply) => {
      const [{ isGood, ...health }, details] = await Promise.all([
        runChecks(checks.ready),
        answerAll(checks.details),
      ]);
      return reply.code(isGood ? 200 : 503).send({ ...health, ...buildInfo, ...details });
    });
    server.answer('/metrics', async (reply) => {
      const { contentType, text } = await metricsText();
      return reply.type(contentType).send(text);
    });
  }
}
