import { requestDuration, requestsInFlight } from '#http';
import { type Logger, openServerSpan } from '#platform';
import { type onRequestHookHandler } from 'fastify';

const api = 'website';
/** `onRequest`: counts, times and logs every request, and records a span for it when tracing is on. */
export function observeRequests(logger: Logger): onRequestHookHandler {
  return (request, reply, done) => {
    const { method, id, headers } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const traceparent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined;
    const span = openServerSpan(`${method} ${route}`, traceparent, {
      'http.request.method': method,
      'http.route': route,
      request_id: id,
    });
    const end = requestDuration.startTimer({ api, route, method });
    requestsInFlight[api] += 1;
    // Node says so once for each answer: after its end, or when its client has left.
    reply.raw.once('close', () => {
      const { statusCode, elapsedTime } = reply;
      requestsInFlight[api] -= 1;
      const status = reply.raw.writableFinished ? String(statusCode) : 'gone';
      end({ status });
      span.end({ 'http.response.status_code': statusCode }, statusCode >= 500);
      // In a flood there are thousands a second, so they are counted, not logged.
      if (statusCode === 429) return;
      logger.info(
        { request_id: id, method, route, status: statusCode, ms: Math.round(elapsedTime * 10) / 10 },
        'request',
      );
    });
    span.run(done);
  };
}
