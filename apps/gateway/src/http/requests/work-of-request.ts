import { type FastifyRequest } from 'fastify';

const spent = new WeakMap<FastifyRequest, number>();

/** Notes work on the event loop that a request has caused beyond what each request costs, ms. */
export function noteWork(request: FastifyRequest, ms: number): void {
  spent.set(request, (spent.get(request) ?? 0) + ms);
}

/** Does something for a request that takes a while, and notes how long it took. */
export function doWork<Result>(request: FastifyRequest, work: () => Result): Result {
  const startedAt = performance.now();
  const result = work();
  noteWork(request, performance.now() - startedAt);
  return result;
}

/** What was noted for it, ms. */
export function workOf(request: FastifyRequest): number {
  return spent.get(request) ?? 0;
}
