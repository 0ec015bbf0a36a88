import { Shutdown } from '#http';
import { LOGGER, type Logger, within } from '#platform';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Module,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type FastifyAdapter } from '@nestjs/platform-fastify';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { OpenExchanges } from '../edge/connections/exchange.js';

/** A request in flight when the port was closed has arrived by then. */
const quietMs = 100;

/**
 * Shuts an HTTP server down without losing an answer: accepts no new connections, hands over every answer in progress,
 * each ending its connection, and only then closes the remaining connections.
 */
@Injectable()
export class GracefulShutdown implements OnModuleInit, BeforeApplicationShutdown {
  private exchanges: OpenExchanges;

  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly shutdown: Shutdown,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.exchanges = OpenExchanges.of(this.host.httpAdapter.getInstance().server);
  }

  /** Resolves when no connection is left; whatever exceeds the time limits of the shutdown is cut off. */
  async beforeApplicationShutdown(): Promise<void> {
    this.shutdown.begin();
    await delay(this.shutdown.msUntil('drained'));
    const http = this.host.httpAdapter.getInstance().server;
    // The HTTP server's own `close` would at once cut off answers that their clients have not read completely.
    NetServer.prototype.close.call(http);
    await within(this.shutdown.msUntil('answered'), this.quiet());
    const { count } = this.exchanges;
    if (count > 0) this.logger.warn({ requests: count }, 'cut off: not answered in time');
    this.exchanges.giveUp();
    http.closeAllConnections();
    // The outcome of their charges is known once the connections are closed.
    await within(this.shutdown.msUntil('settled'), this.exchanges.none());
  }

  /** Resolves when no request is in progress and no more arrive. */
  private async quiet(): Promise<void> {
    for (let seen = -1; seen !== this.exchanges.total;) {
      seen = this.exchanges.total;
      await this.exchanges.none();
      await delay(quietMs);
    }
  }
}

/**
 * Shuts an application's HTTP server down without losing an answer; the applications of a process share one `Shutdown`.
 */
@Module({})
export class ShutdownModule {
  static forRoot(shutdown: Shutdown): DynamicModule {
    return {
      module: ShutdownModule,
      global: true,
      providers: [{ provide: Shutdown, useValue: shutdown }, GracefulShutdown],
      exports: [Shutdown],
    };
  }
}
