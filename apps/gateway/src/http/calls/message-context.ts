import { type RequestContext } from '@app/transport';
import { type FastifyRequest } from 'fastify';

/** The context of messages sent for a request, with the deadline of the message itself. */
export function messageContext({ id, headers }: FastifyRequest): RequestContext {
  const { traceparent } = headers;
  return { requestId: id, ...(typeof traceparent === 'string' ? { traceparent } : {}) };
}
