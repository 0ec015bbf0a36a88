import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import { InternalServer } from './internal-server.js';

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
 * The internal port. An asynchronous provider, so that it listens while other modules still wait for their
 * dependencies.
 */
@Global()
@Module({
  providers: [
    {
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
  exports: [InternalServer],
})
export class InternalServerModule {}
