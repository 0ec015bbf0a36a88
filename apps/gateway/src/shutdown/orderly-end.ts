import { type Logger, within } from '@app/platform';
import { type FastifyInstance } from 'fastify';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { OpenExchanges } from '../connections/open-exchanges.js';
import { type Shutdown } from './shutdown.js';

/** A request that was on its way when the port was closed has arrived by then. */
const quietMs = 100;

/**
 * The end of an HTTP server in which no answer is lost: it takes no new connection, hands over every answer that is in work,
 * each ending its connection, and only then ends the connections that are left. Make one before the server is ready.
 */
export class OrderlyEnd {
  private readonly exchanges: OpenExchanges;

  constructor(
    private readonly server: FastifyInstance,
    private readonly shutdown: Shutdown,
    private readonly logger: Logger,
  ) {
    this.exchanges = OpenExchanges.of(server.server);
    server.addHook('onSend', (_request, reply, payload, done) => {
      if (shutdown.hasBegun) void reply.header('connection', 'close');
      done(null, payload);
    });
  }

  /** Resolves when no connection is left; what takes longer than the shutdown allows is cut off. Close the server afterwards. */
  async come(): Promise<void> {
    const http = this.server.server;
    // The HTTP server's own `close` would at once cut off answers that their clients have not read whole.
    NetServer.prototype.close.call(http);
    await within(this.shutdown.msUntil('answered'), this.quiet());
    const { count } = this.exchanges;
    if (count > 0) this.logger.warn({ requests: count }, 'cut off: not answered in time');
    http.closeAllConnections();
    // What becomes of their charges is known when the connections have gone.
    await within(this.shutdown.msUntil('settled'), this.exchanges.none());
  }

  /** Resolves when nothing is in work and nothing more arrives. */
  private async quiet(): Promise<void> {
    for (let seen = -1; seen !== this.exchanges.total;) {
      seen = this.exchanges.total;
      await this.exchanges.none();
      await delay(quietMs);
    }
  }
}
