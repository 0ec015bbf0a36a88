import { type ServiceName } from '@app/contracts';
import { CONFIG, gauge, HealthChecks, LOGGER, type Logger } from '@app/platform';
import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceClient } from '../client/service-client.js';
import { RedisServer } from '../server/redis-server.js';

interface TransportConfig {
  readonly SERVICE_REDIS_URL: string;
}

interface TransportModuleOptions {
  /** The service whose queues are read. */
  readonly service: ServiceName;
  /** Services that are asked; with none it can only tell something to all who listen. Without it there is no `ServiceClient`. */
  readonly asks?: readonly ServiceName[];
}

/** Closes the client last: what stops may still have something to say. */
@Injectable()
class ServiceClientLifecycle implements OnApplicationShutdown {
  constructor(@Inject(ServiceClient) private readonly client: ServiceClient) {}

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }
}

/**
 * The messages between services over Redis: `RedisServer`, the strategy with which the application takes its own, and, where
 * it has something to ask or to tell, a connected `ServiceClient`.
 */
@Module({})
export class TransportModule {
  static forRoot({ service, asks }: TransportModuleOptions): DynamicModule {
    const connections = new Set<{ readonly isReady: boolean }>();
    const server = {
      provide: RedisServer,
      inject: [CONFIG, LOGGER, HealthChecks],
      useFactory: (config: TransportConfig, logger: Logger, health: HealthChecks) => {
        const made = new RedisServer({ redisUrl: config.SERVICE_REDIS_URL, service, logger });
        connections.add(made);
        const areReady = (): boolean => [...connections].every(({ isReady }) => isReady);
        health.ready.redis = () => Promise.resolve(areReady() ? null : 'not connected');
        gauge('redis_connected', 'Whether messages can arrive: 1, or 0.', () => Number(areReady()));
        return made;
      },
    };
    const client = {
      provide: ServiceClient,
      inject: [CONFIG, LOGGER],
      useFactory: async ({ SERVICE_REDIS_URL: redisUrl }: TransportConfig, logger: Logger) => {
        const made = new ServiceClient({ redisUrl, logger, asks: asks ?? [] });
        connections.add(made);
        await made.connect();
        return made;
      },
    };
    const hasClient = asks !== undefined;
    return {
      module: TransportModule,
      global: true,
      providers: [server, ...(hasClient ? [client, ServiceClientLifecycle] : [])],
      exports: [RedisServer, ...(hasClient ? [ServiceClient] : [])],
    };
  }
}
