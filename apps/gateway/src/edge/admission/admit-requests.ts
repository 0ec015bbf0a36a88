import { type FastifyRequest, type onSendHookHandler, type preValidationHookHandler } from 'fastify';
import { isPageRoute } from '../../account-pages/paths/page-paths.js';
import { type KeyCache } from '../../authentication/key-cache.js';
import { RefusedError } from '../../errors/gateway-errors.js';
import { sendError } from '../../errors/send-error.js';
import { isPrepared } from '../../answers/prepared-answers.js';
import { siteOf } from '../../requests/networks.js';
import { type Admission, type Release } from './admission.js';
import { type Caller } from './fair-queue.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request that holds a slot. */
    releaseSlot: Release | undefined;
  }

  interface FastifyContextConfig {
    /** The route does work for callers without a key too. */
    readonly worksWithoutKey?: boolean;
    /** The route waits for a server that is not ours, and has bounds of its own: it holds no slot meanwhile. */
    readonly waitsOutside?: boolean;
  }
}

/**
 * `preValidation`: makes the requests that need the services wait for a slot. It is held from when the whole request has
 * arrived until the answer has been made: not while a slow client sends its body or reads its answer.
 */
export function admitRequest(admission: Admission, keys: KeyCache): preValidationHookHandler {
  return (request, reply, done) => {
    const caller = admissionKey(request, keys);
    if (caller === null) return done();
    admission.enter(caller, request.call.exchange).then(
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
}

/** `onSend`: the answer has been made. */
export const releaseSlot: onSendHookHandler = (request, reply, _payload, done) => {
  request.releaseSlot?.(reply.statusCode < 500);
  done();
};

/**
 * Under which account and key a request queues: those of its API key if it was valid lately, else the client's network, because
 * keys can be made up. `null` for a request that is answered without work: an unknown path, a prepared answer, a key that is missing
 * or can't be right; and for one that waits for a server that is not ours.
 */
function admissionKey(request: FastifyRequest, keys: KeyCache): Caller | null {
  if (request.is404 || isPrepared(request) || request.routeOptions.config.waitsOutside) return null;
  // Whatever a request to a page claims in a header that means nothing there.
  if (isPageRoute(request.routeOptions.url)) return networkCaller(request);
  if (request.headers.authorization === undefined) {
    return request.routeOptions.config.worksWithoutKey ? networkCaller(request) : null;
  }
  const { hash } = request.call.presentedKey;
  if (hash === undefined) return null;
  const account = keys.accountOf(hash);
  return account === undefined
    ? networkCaller(request)
    : { account: `account ${account}`, key: `key ${hash}` };
}

function networkCaller({ ip }: FastifyRequest): Caller {
  const network = `network ${siteOf(ip)}`;
  return { account: network, key: network };
}
