import { gauges, openServerSpan, histogram } from '@app/platform';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { exchangeOf } from '../../connections/exchange-of-request.js';

export type ApiName = 'public' | 'admin';

const duration = histogram(
  'http_request_duration_seconds',
  'Duration of requests to the APIs, until the answer was handed over.',
  ['api', 'route', 'method', 'status'],
);

const inFlight: Record<ApiName, number> = { public: 0, admin: 0 };
gauges('http_requests_in_flight', 'Requests in progress: not answered yet.', 'api', () => inFlight);

/** Counts and times every request, and records a span for it when tracing is on. Call right after `takeTurns`. */
export function observeRequests(server: FastifyInstance, api: ApiName): void {
  const counted = new WeakSet<FastifyRequest>();
  const answerMade = (request: FastifyRequest): void => {
    if (counted.delete(request)) inFlight[api] -= 1;
  };
  server.addHook('onRequest', (request, reply, done) => {
    const { traceparent } = request.headers;
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const span = openServerSpan(
      `${method} ${route}`,
      typeof traceparent === 'string' ? traceparent : undefined,
      {
        'http.request.method': method,
        'http.route': route,
        request_id: request.id,
      },
    );
    const end = duration.startTimer({ api, route, method });
    inFlight[api] += 1;
    counted.add(request);
    exchangeOf(request).onEnd((how) => {
      answerMade(request);
      // `gone`: the client disconnected before it had the answer.
      end({ status: how === 'handed_over' ? String(reply.statusCode) : 'gone' });
      span.end({ 'http.response.status_code': reply.statusCode }, reply.statusCode >= 500);
    });
    span.run(done);
  });
  server.addHook('onSend', (request, _reply, _payload, done) => {
    answerMade(request);
    done();
  });
}
