import { ServiceError } from '#contracts';
import { type RequestContext } from '#transport';
import { type FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The context of the messages that are sent for the request, once all of it has arrived. */
    messageContext: RequestContext;
  }
}

/** The context of the messages of one request: its id, its trace, and the time that is left for it. */
export function messageContextOf(
  { id, headers: { traceparent } }: Pick<FastifyRequest, 'id' | 'headers'>,
  deadlineMs: number,
): RequestContext {
  const deadline = performance.now() + deadlineMs;
  return {
    requestId: id,
    ...(typeof traceparent === 'string' && { traceparent }),
    /** Throws `deadline_exceeded` once the request has taken too long. */
    get deadlineMs() {
      const left = deadline - performance.now();
      if (left > 0) return left;
      throw new ServiceError('deadline_exceeded', 'The request took too long to process; try again shortly.');
    },
  };
}
