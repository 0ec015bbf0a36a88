import { type FastifyReply, type FastifyRequest, type onRequestHookHandler } from 'fastify';
import { type KnownSessions } from '../../account-pages/sessions/known-sessions.js';
import { MemberRequest } from '../../account-pages/sessions/member-request.js';
import { type KeyCache } from '../../authentication/key-cache.js';
import { busy } from '../../errors/gateway-errors.js';
import { sendError } from '../../errors/send-error.js';
import { networksOf } from '../../requests/networks.js';
import { type BodyBudget } from '../bodies/body-budget.js';
import { countUnread } from '../bodies/receive-bodies.js';
import { Connection } from '../connections/connection.js';
import { setCommonHeaders } from '../request-checks.js';
import { entryMs, type StrangerLine } from './stranger-line.js';

export interface StrangerOptions {
  readonly line: StrangerLine;
  readonly keys: KeyCache;
  readonly sessions: KnownSessions;
  readonly bodies: BodyBudget;
}

/**
 * `onRequest`: bounds the work that is done for clients without a good key or session, for each network. What a request has
 * cost is paid when it is over, and while its network is in debt the next one waits, before its body is read. Requests of
 * customers in that network do not wait.
 */
export function holdStrangers({ line, keys, sessions, bodies }: StrangerOptions): onRequestHookHandler {
  const { budget } = line;
  const pay = (request: FastifyRequest): void => {
    if (request.call.authenticatedKey !== undefined || request.guest instanceof MemberRequest) return;
    budget.spend(networksOf(request.ip), request.workMs + entryMs);
  };
  const isKnown = (request: FastifyRequest): boolean => {
    const { hash } = request.call.presentedKey;
    return (hash !== undefined && keys.wasGood(hash)) || sessions.isOf(request);
  };
  return (request, reply, done) => {
    const { exchange } = request.call;
    exchange.onEnd(() => pay(request));
    if (!budget.hasDebtors) return done();
    const networks = networksOf(request.ip);
    if (!budget.isSpent(networks) || isKnown(request)) return done();
    const connection = Connection.of(request.raw.socket);
    const leaveLine = (): void => {
      // The line has paid it.
      request.workMs -= entryMs;
      connection.isHeld = false;
      waiting.complete();
    };
    connection.isHeld = true;
    const waiting = countUnread(request, exchange, bodies);
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
  };
}

function refuse(request: FastifyRequest, reply: FastifyReply): void {
  setCommonHeaders(request, reply);
  void reply.header('connection', 'close');
  sendError(reply, busy);
}
