import { type FastifyRequest } from 'fastify';

const deadlines = new WeakMap<FastifyRequest, number>();

/** Notes on the monotonic clock when the request has to be answered. */
export function startDeadline(request: FastifyRequest, deadlineMs: number): void {
  deadlines.set(request, performance.now() + deadlineMs);
}

/** When the request has to be answered, on the monotonic clock, ms. */
export function requestDeadline(request: FastifyRequest): number {
  const deadline = deadlines.get(request);
  if (deadline === undefined) throw new Error('the deadline of a request is noted on its arrival');
  return deadline;
}
