import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Visit, visitorOf } from '../account-pages/sessions/visit.js';
import { type BodyBudget } from '../bodies/body-budget.js';
import { countUnread } from '../bodies/receive-bodies.js';
import { Connection } from '../connections/connection.js';
import { exchangeOf } from '../connections/exchange-of-request.js';
import { busy } from '../errors/refused.error.js';
import { sendError } from '../errors/send-error.js';
import { responseHeaders } from '../http/answers/response-headers.js';
import { callOfRequest } from '../http/calls/call-of-request.js';
import { networksOf } from '../network/network-of.js';
import { type KnownCallers } from './known-callers.js';
import { entryMs, type StrangerLine } from './stranger-line.js';
import { workOf } from '../http/requests/work-of-request.js';

export interface StrangerOptions {
  readonly line: StrangerLine;
  readonly callers: KnownCallers;
  readonly bodies: BodyBudget;
}

/**
 * Bounds the work that is done for clients without a good key or session, for each network: what a request has cost is paid
 * when it is over, and while its network is in debt the next one waits, before its body is read. Requests of customers in
 * that network do not wait. Call after `takeTurns`.
 */
export function holdStrangers(server: FastifyInstance, { line, callers, bodies }: StrangerOptions): void {
  const { budget } = line;
  const entered = new WeakSet<FastifyRequest>();
  const pay = (request: FastifyRequest): void => {
    if (callOfRequest(request) !== undefined || visitorOf(request) instanceof Visit) return;
    budget.spend(networksOf(request.ip), workOf(request) + (entered.has(request) ? 0 : entryMs));
  };
  server.addHook('onRequest', (request, reply, done) => {
    const exchange = exchangeOf(request);
    exchange.onEnd(() => pay(request));
    if (!budget.hasDebtors) return done();
    const networks = networksOf(request.ip);
    if (!budget.isSpent(networks) || callers.sent(request)) return done();
    const connection = Connection.of(request.raw.socket);
    const leaveLine = (): void => {
      entered.add(request);
      connection.isHeld = false;
    };
    connection.isHeld = true;
    countUnread(request, exchange, bodies);
    line.wait(
      networks,
      exchange,
      () => {
        leaveLine();
        done();
      },
      () => {
        leaveLine();
        refuse(request, reply);
      },
    );
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id).headers(responseHeaders).header('connection', 'close');
  sendError(reply, busy);
}
