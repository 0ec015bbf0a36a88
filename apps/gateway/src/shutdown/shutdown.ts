import { HealthChecks, type ShutdownTimes, LOGGER, type Logger, within } from '#platform';
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
import { type onSendHookHandler } from 'fastify';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { OpenExchanges } from '../edge/connections/exchange.js';

/** A phase of a shutdown, named by the state at its end. */
type Phase = 'drained' | 'answered' | 'settled';

/**
 * Requests that can't be finished are aborted this long before they would be cut off, so that they still get an error.
 */
const lastWordsMs = 500;

/** The one shutdown of this process: whether it has begun, and how much time each of its phases has left. */
export class Shutdown {
  private begunAt: number | null = null;
  private readonly timeIsUp = new AbortController();

  constructor(private readonly times: ShutdownTimes) {}

  begin(): void {
    if (this.begunAt !== null) return;
    this.begunAt = performance.now();
    setTimeout(() => this.timeIsUp.abort(), Math.max(0, this.times.answeredMs - lastWordsMs)).unref();
  }

  get hasBegun(): boolean {
    return this.begunAt !== null;
  }

  /** Aborted shortly before requests still in progress are cut off. */
  get giveUp(): AbortSignal {
    return this.timeIsUp.signal;
  }

  /** Time until the end of the phase, ms, including time that earlier phases did not use. */
  msUntil(phase: Phase): number {
    if (this.begunAt === null) throw new Error('the phases of a shutdown are counted from its beginning');
    return Math.max(0, this.begunAt + this.times[`${phase}Ms`] - performance.now());
  }
}

/** A gateway is ready from when it listens on all of its ports until its shutdown begins. */
@Injectable()
export class Readiness {
  private isListening = false;

  constructor(health: HealthChecks, shutdown: Shutdown) {
    health.ready.started = () =>
      Promise.resolve(shutdown.hasBegun ? 'draining' : this.isListening ? null : 'starting');
  }

  listening(): void {
    this.isListening = true;
  }
}

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

/** `onSend`: each answer ends its connection once the shutdown has begun. */
export function closeWhenShuttingDown(shutdown: Shutdown): onSendHookHandler {
  return (_request, reply, payload, done) => {
    if (shutdown.hasBegun) void reply.header('connection', 'close');
    done(null, payload);
  };
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
