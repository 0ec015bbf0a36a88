import { requestDuration, requestsInFlight } from '#http';
import { type Logger, openServerSpan } from '#platform';
import {
  type FastifyRequest,
  type onRequestHookHandler,
  type onResponseHookHandler,
  type onSendHookHandler,
} from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted as in progress. */
    isCounted: boolean;
  }
}

type ApiName = 'public' | 'admin';

/** `onRequest`: counts and times every request, and records a span for it when tracing is on. */
export function observeRequest(api: ApiName): onRequestHookHandler {
  return (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const span = openServerSpan(`${method} ${route}`, request.call.traceparent, {
      'http.request.method': method,
      'http.route': route,
      request_id: request.id,
    });
    const end = requestDuration.startTimer({ api, route, method });
    requestsInFlight[api] += 1;
    request.isCounted = true;
    request.call.exchange.onEnd((how) => {
      uncount(api, request);
      // `gone`: the client disconnected before it had the answer. `simulated`: a test key asked for the error, so it is no failure.
      const { isSimulated } = request.call;
      const status = isSimulated ? 'simulated' : String(reply.statusCode);
      end({ status: how === 'handed_over' ? status : 'gone' });
      span.end({ 'http.response.status_code': reply.statusCode }, reply.statusCode >= 500 && !isSimulated);
    });
    span.run(done);
  };
}

/** `onSend`: once its answer has been made, a request is no longer in progress. */
export function countAnswer(api: ApiName): onSendHookHandler {
  return (request, _reply, _payload, done) => {
    uncount(api, request);
    done();
  };
}

function uncount(api: ApiName, request: FastifyRequest): void {
  if (request.isCounted) requestsInFlight[api] -= 1;
  request.isCounted = false;
}

/** `onResponse`: one line for each request. */
export function logRequest(logger: Logger): onResponseHookHandler {
  return (request, reply, done) => {
    done();
    // Under overload there are thousands a second, so they are counted, not logged.
    if (reply.isRefusal) return;
    const { authenticatedKey: key } = request.call;
    logger.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(key ? { account_id: key.account_id, key_prefix: key.prefix } : {}),
      },
      'request',
    );
  };
}
