import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Connection } from './connection.js';
import { type Exchange } from './exchange.js';
import { OpenExchanges } from './open-exchanges.js';

const exchanges = new WeakMap<FastifyRequest, Exchange>();

/** Called for a request that has to wait for its turn. */
export type OnWait = (request: FastifyRequest, exchange: Exchange) => void;

/**
 * Lets the requests of a connection in one after the other, and answers clients that have closed their side of it after
 * their last request. Call before any hook that does something for a request.
 */
export function takeTurns(server: FastifyInstance, onWait?: OnWait): void {
  Object.assign(server.server, { httpAllowHalfOpen: true });
  const open = OpenExchanges.of(server.server);
  server.addHook('onRequest', (request, reply, done) => {
    const arrived = Connection.of(request.raw.socket).take(reply.raw, (exchange) => {
      exchanges.set(request, exchange);
      done();
    });
    open.add(arrived);
    if (!exchanges.has(request) && !arrived.isOver) onWait?.(request, arrived);
  });
}

/** The exchange of a request whose turn has come. */
export function exchangeOf(request: FastifyRequest): Exchange {
  const exchange = exchanges.get(request);
  if (!exchange) throw new Error('a request has an exchange from its turn on');
  return exchange;
}
