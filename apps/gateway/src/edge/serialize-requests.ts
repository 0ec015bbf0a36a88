import { forwardedAddresses } from '#http';
import { type FastifyInstance, type FastifyRequest, type onRequestHookHandler } from 'fastify';
import { limits } from '../limits.js';
import { Call } from '../requests/call.js';
import { Connection } from './connections/connection.js';
import { type Exchange, OpenExchanges } from './connections/exchange.js';

/** Called for a request that has to wait for its turn; what it returns is completed when that has come. */
type OnWait = (request: FastifyRequest, exchange: Exchange) => { complete(): void };

/**
 * `onRequest`: starts the requests of a connection one after another, and answers clients that have closed their side of it
 * after their last request. From its turn on, a request has its `call`.
 */
export function serializeRequests(server: FastifyInstance, onWait?: OnWait): onRequestHookHandler {
  // With one header more than is accepted, a request is refused; Node need not keep the others.
  Object.assign(server.server, { httpAllowHalfOpen: true, maxHeadersCount: limits.headers + 1 });
  const open = OpenExchanges.of(server.server);
  return (request, reply, done) => {
    const { headers } = request.raw;
    // Before anything asks for the address of the client.
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = forwardedAddresses(forwarded);
    let hasStarted = false;
    let waiting: ReturnType<OnWait> | undefined;
    const arrived = Connection.of(request.raw.socket).take(reply.raw, (exchange) => {
      hasStarted = true;
      waiting?.complete();
      request.call = new Call(request, exchange);
      done();
    });
    open.add(arrived);
    if (!hasStarted && !arrived.isOver) waiting = onWait?.(request, arrived);
  };
}

/** What hangs on both servers and their requests; each is described where it is declared. Call before the routes are added. */
export function decorateRequests(
  server: FastifyInstance,
  securityHeaders: Readonly<Record<string, string>> = {},
): void {
  server.decorate('securityHeaders', securityHeaders);
  server.decorateRequest('call').decorateRequest('isCounted', false);
  server.decorateReply('isRefusal', false);
}
