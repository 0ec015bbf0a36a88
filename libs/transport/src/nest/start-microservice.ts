import { type Closable, type Logger, mapDatabaseError, NestLogger } from '@app/platform';
import { type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type AsyncMicroserviceOptions } from '@nestjs/microservices';
import { RedisServer } from '../server/redis-server.js';
import { PassErrorsToTransport } from '../transport-errors.js';
import { PayloadPipe } from './payload.pipe.js';

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
