import { type Door, type ServiceName } from '#contracts';
import {
  type Closable,
  CONFIG,
  gauges,
  type HealthCheck,
  HealthChecks,
  LOGGER,
  type Logger,
  mapDatabaseError,
  NestLogger,
} from '#platform';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type AsyncMicroserviceOptions } from '@nestjs/microservices';
import { RedisHealth } from '../redis/redis-health.js';
import { RedisServer } from '../server/redis-server.js';
import { ServiceClient } from '../client/service-client.js';
import { PassErrorsToTransport } from '../transport-errors.js';
import { PayloadPipe } from './payload.pipe.js';

interface TransportConfig {
  readonly SERVICE_REDIS_URL: string;
}

interface TransportModuleOptions {
  /** The service whose queues are read; a gateway only receives broadcasts. Without it there is no `RedisServer`. */
  readonly service?: ServiceName | 'gateway';
  /** Services to send requests to; empty: it can only broadcast. Without it there is no `ServiceClient`. */
  readonly callsServices?: readonly ServiceName[];
  /** Through which its requests go. Default: `gateway`. */
  readonly door?: Door;
  /** Whether the process is ready while Redis is unreachable. Default: false. */
  readonly isReadyWithoutRedis?: boolean;
}

/**
 * Messages between services over Redis: where the program receives messages, `RedisServer`, the transport strategy; where
 * it sends any, a connected `ServiceClient`.
 */
@Module({})
export class TransportModule {
  static forRoot({
    service,
    callsServices,
    door,
    isReadyWithoutRedis = false,
  }: TransportModuleOptions): DynamicModule {
    const providers = [
      healthProvider(isReadyWithoutRedis),
      ...(service === undefined ? [] : [serverProvider(service)]),
      ...(callsServices === undefined ? [] : [clientProvider(callsServices, door)]),
    ];
    return { module: TransportModule, global: true, providers, exports: providers };
  }

  /** Only a `ServiceClient`, for an application in a process where another one already checks the health of Redis. */
  static forClient({ callsServices }: { readonly callsServices: readonly ServiceName[] }): DynamicModule {
    const providers = [clientProvider(callsServices)];
    return { module: TransportModule, global: true, providers, exports: providers };
  }
}

function healthProvider(isReadyWithoutRedis: boolean): Provider {
  return {
    provide: RedisHealth,
    inject: [HealthChecks],
    useFactory: (checks: HealthChecks) => {
      const health = new RedisHealth();
      if (isReadyWithoutRedis) checks.details.redis = async () => (await health.check()) ?? 'ok';
      else checks.ready.redis = () => health.check();
      return health;
    },
  };
}

function serverProvider(service: string): Provider {
  return {
    provide: RedisServer,
    inject: [CONFIG, LOGGER, RedisHealth],
    useFactory: ({ SERVICE_REDIS_URL: redisUrl }: TransportConfig, logger: Logger, health: RedisHealth) => {
      const server = new RedisServer({ redisUrl, service, logger });
      health.watch(() => server.isReady);
      return server;
    },
  };
}

function clientProvider(callsServices: readonly ServiceName[], door: Door = 'gateway'): Provider {
  return {
    provide: ServiceClient,
    inject: [CONFIG, LOGGER, ...[RedisHealth, HealthChecks].map((token) => ({ token, optional: true }))],
    useFactory: async (
      { SERVICE_REDIS_URL: redisUrl }: TransportConfig,
      logger: Logger,
      health?: RedisHealth,
      checks?: HealthChecks,
    ) => {
      const made = new ServiceClient({ redisUrl, logger, door, callsServices });
      health?.watch(() => made.isReady);
      await made.connect();
      if (checks && callsServices.length > 0) observeReplicas(made, callsServices, checks);
      return made;
    },
  };
}

/** The number of live replicas of the services that a process calls, for operators. */
function observeReplicas(
  client: ServiceClient,
  callsServices: readonly ServiceName[],
  checks: HealthChecks,
): void {
  const count = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      await Promise.all(callsServices.map(async (name) => [name, await client.liveReplicas(name)] as const)),
    );
  gauges('service_replicas', 'Live replicas of the other services.', 'service', count);
  checks.details.replicas = () => count().catch(() => 'unknown: Redis does not answer');
  checks.ready.versions = waitForOlderReplicas(client, callsServices);
}

/**
 * A readiness check for roll-outs: not ready while a live replica of these services does not know all messages of this
 * version. Services without a replica do not count. Once passed, it stays passed: a later roll-back of the others
 * must not take a process out of use that answers what it can.
 */
export function waitForOlderReplicas(client: ServiceClient, services: readonly ServiceName[]): HealthCheck {
  let isPassed = false;
  return async () => {
    if (isPassed) return null;
    const asked = services.map(async (name) => ((await client.hasOlderReplica(name)) ? [name] : []));
    const older = (await Promise.all(asked)).flat();
    isPassed = older.length === 0;
    return isPassed ? null : `an earlier version of ${older.join(' and ')} is still running`;
  };
}

/**
 * Starts a service that answers messages, once the dependencies of its modules are available. `module` imports
 * `TransportModule`. Payloads are validated by `PayloadPipe`. On closing, it takes no new message, finishes those
 * taken, then closes the modules.
 */
export async function startMicroservice(module: DynamicModule, logger: Logger): Promise<Closable> {
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(module, {
    inject: [RedisServer],
    useFactory: (strategy: RedisServer) => ({ strategy }),
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  app.useGlobalFilters(new PassErrorsToTransport(mapDatabaseError));
  app.useGlobalPipes(new PayloadPipe());
  await app.listen();
  logger.info('listening');
  return app;
}
