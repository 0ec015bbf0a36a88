import { gauges, histogram } from '#platform';

/** By what the process serves: `public` and `admin` are APIs. */
export const requestDuration = histogram(
  'http_request_duration_seconds',
  'Duration of requests, until the answer was handed over.',
  ['api', 'route', 'method', 'status'],
);

/** Requests that are not answered yet, by the same. */
export const requestsInFlight = { public: 0, admin: 0, website: 0 };

gauges('http_requests_in_flight', 'Requests in progress: not answered yet.', 'api', () => requestsInFlight);
