import { type FastifyInstance, type FastifyRequest, type onRequestHookHandler } from 'fastify';
import { Call } from '../requests/call.js';
import { Connection } from './connections/connection.js';
import { type Exchange, OpenExchanges } from './connections/exchange.js';

/** Called for a request that has to wait for its turn. */
export type OnWait = (request: FastifyRequest, exchange: Exchange) => void;

/**
 * `onRequest`: starts the requests of a connection one after another, and answers clients that have closed their side of it
 * after their last request. From its turn on, a request has its `call`.
 */
export function serializeRequests(server: FastifyInstance, onWait?: OnWait): onRequestHookHandler {
  Object.assign(server.server, { httpAllowHalfOpen: true });
  const open = OpenExchanges.of(server.server);
  return (request, reply, done) => {
    let hasStarted = false;
    const arrived = Connection.of(request.raw.socket).take(reply.raw, (exchange) => {
      hasStarted = true;
      request.call = new Call(request, exchange);
      done();
    });
    open.add(arrived);
    if (!hasStarted && !arrived.isOver) onWait?.(request, arrived);
  };
}

/** What hangs on the requests of both servers; each is described where it is declared. Call before the routes are added. */
export function decorateRequests(server: FastifyInstance): void {
  server.decorateRequest('call').decorateRequest('workMs', 0).decorateRequest('isCounted', false);
  server.decorateReply('isRefusal', false);
}
