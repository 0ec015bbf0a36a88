import { type FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Work on the event loop that the request has caused beyond what each request costs, ms. */
    workMs: number;
  }
}

/** Does something for a request that takes a while, and adds how long it took to the work of the request. */
export function doWork<Result>(request: FastifyRequest, work: () => Result): Result {
  const startedAt = performance.now();
  const result = work();
  request.workMs += performance.now() - startedAt;
  return result;
}
