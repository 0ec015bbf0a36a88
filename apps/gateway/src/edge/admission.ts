import { RefusedError, busy, siteOf } from '#http';
import { counter } from '#platform';
import { Injectable } from '@nestjs/common';
import {
  type FastifyRequest,
  type onRequestHookHandler,
  type onSendHookHandler,
  type preValidationHookHandler,
} from 'fastify';
import { isPrepared } from '../answers/prepared.js';
import { KeyCache } from '../authentication/key-cache.js';
import { sendError } from '../errors/send-error.js';
import { limits } from '../limits.js';
import { TokenBucket } from '../rate-limit/token-bucket.js';
import { BodyBudget } from './bodies/body-budget.js';
import { announcedBytes, countUnread, isInChunks } from './bodies/receive-bodies.js';
import { Connection } from './connections/connection.js';
import { type Caller, FairQueue, type Release, strangers } from './fair-queue.js';
import { setCommonHeaders } from './request-checks.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Frees the slot that the request holds. */
    releaseSlot: Release | undefined;
  }

  interface FastifyContextConfig {
    /** The route does work for callers without a key too. */
    readonly worksWithoutKey?: boolean;
  }
}

const held = counter(
  'http_strangers_held_total',
  'Requests without a known key that waited because their network had made too many.',
  ['outcome'],
);

/** Admits requests: of strangers by the tokens of their network, then of all that need the services by slots. */
@Injectable()
export class Admission {
  constructor(
    private readonly queue: FairQueue,
    private readonly tokens: TokenBucket,
    private readonly bodies: BodyBudget,
    private readonly keys: KeyCache,
  ) {}

  /**
   * `onRequest`: takes a token for a request of a stranger, before anything is done for it. Without one the request waits, its
   * body unread; a key that turns out to be good gives the token back.
   */
  readonly holdStranger: onRequestHookHandler = (request, reply, done) => {
    if (!this.isStranger(request)) return done();
    const { exchange } = request.call;
    const price = priceOf(request);
    const waitMs = this.tokens.take(request.ip, price);
    if (waitMs !== null) {
      exchange.onEnd(() => {
        if (!this.isStranger(request)) this.tokens.giveBack(request.ip, price);
      });
    }
    if (waitMs === 0) return done();
    const connection = Connection.of(request.raw.socket);
    connection.isHeld = true;
    const unread = countUnread(request, exchange, this.bodies);
    const continueOrRefuse = (): void => {
      connection.isHeld = false;
      unread.complete();
      held.inc({ outcome: waitMs === null ? 'refused' : 'admitted' });
      if (waitMs !== null) return done();
      setCommonHeaders(request, reply);
      void reply.header('connection', 'close');
      sendError(reply, busy);
    };
    const timer = setTimeout(continueOrRefuse, waitMs ?? limits.strangerWaitMs).unref();
    exchange.onEnd(() => clearTimeout(timer));
  };

  /**
   * `preValidation`: makes the requests that need the services wait for a slot. It is held from when the whole request has
   * arrived until the answer has been made: not while a slow client sends its body or reads its answer.
   */
  readonly waitForSlot: preValidationHookHandler = (request, reply, done) => {
    if (!needsSlot(request)) return done();
    this.queue.enter(this.callerOf(request), request.call.exchange).then(
      (release) => {
        request.releaseSlot = release;
        done();
      },
      (error: unknown) => {
        // Answered here: passing an error through the filters costs more than the refusal.
        if (error instanceof RefusedError) sendError(reply, error);
        else done(error instanceof Error ? error : new Error(String(error)));
      },
    );
  };

  /** `onSend`: the answer has been made. */
  readonly releaseSlot: onSendHookHandler = (request, _reply, _payload, done) => {
    request.releaseSlot?.();
    done();
  };

  private isStranger(request: FastifyRequest): boolean {
    return this.callerOf(request).account === strangers;
  }

  /**
   * Under which account and key a request queues: those of its API key if that was good when it was last looked at here, else as
   * a stranger by network, because keys can be made up.
   */
  private callerOf(request: FastifyRequest): Caller {
    const { hash = '' } = request.call.presentedKey;
    const account = this.keys.accountOf(hash);
    if (account === undefined) return { account: strangers, key: siteOf(request.ip) };
    return { account: `account ${account}`, key: hash };
  }
}

/** The tokens that a request of a stranger takes. */
function priceOf(request: FastifyRequest): number {
  const ofBytes = 1 + Math.floor(announcedBytes(request) / limits.strangerRequestBytes);
  return isInChunks(request) ? ofBytes + limits.strangerCosts : ofBytes;
}

/**
 * Whether a request asks the services: not for an unknown path, a prepared answer, or a key that is missing or can't be right.
 */
function needsSlot(request: FastifyRequest): boolean {
  const { config } = request.routeOptions;
  if (request.is404 || isPrepared(request)) return false;
  if (request.headers.authorization === undefined) return config.worksWithoutKey === true;
  return request.call.presentedKey.hash !== undefined;
}
