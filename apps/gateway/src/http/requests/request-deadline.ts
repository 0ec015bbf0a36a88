import { type FastifyRequest } from 'fastify';

const deadlines = new WeakMap<FastifyRequest, number>();

/** Records the deadline of the request on the monotonic clock. */
export function startDeadline(request: FastifyRequest, deadlineMs: number): void {
  deadlines.set(request, performance.now() + deadlineMs);
}

/** The deadline of the request on the monotonic clock, ms. */
export function requestDeadline(request: FastifyRequest): number {
  const deadline = deadlines.get(request);
  if (deadline === undefined) throw new Error('no deadline was recorded for this request');
  return deadline;
}
