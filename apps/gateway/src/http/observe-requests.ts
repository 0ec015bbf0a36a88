import { gauges, openServerSpan, timings } from '@app/platform';
import { type FastifyInstance } from 'fastify';

export type ApiName = 'public' | 'admin';

const duration = timings(
  'http_request_duration_seconds',
  'Requests to the APIs, until the answer was handed over.',
  ['api', 'route', 'method', 'status'],
);

const inFlight: Record<ApiName, number> = { public: 0, admin: 0 };
gauges('http_requests_in_flight', 'Requests that have not been answered yet.', 'api', () => inFlight);

/** Counts and times every request, and makes it a span when traces are taken. Call before any other hook. */
export function observeRequests(server: FastifyInstance, api: ApiName): void {
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
    // The one event that comes whatever becomes of the client.
    reply.raw.once('close', () => {
      inFlight[api] -= 1;
      // `gone`: the client left before it had the answer.
      end({ status: reply.raw.writableFinished ? String(reply.statusCode) : 'gone' });
      span.end({ 'http.response.status_code': reply.statusCode }, reply.statusCode >= 500);
    });
    span.run(done);
  });
}
