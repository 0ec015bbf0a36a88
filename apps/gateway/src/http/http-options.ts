import { type ServerOptions } from 'node:http';
import { type FastifyServerOptions } from 'fastify';
import { answerMalformedRequest } from './malformed-request.js';
import { requestIdOf } from './request-id.js';

/** Longer than any slug: a longer path segment is looked at and then not found, not refused by the router. */
const pathSegmentLengthMax = 4_096;

/** What both HTTP servers of the gateway have in common. */
export const httpOptions = {
  logger: false,
  exposeHeadRoutes: false,
  // What is in flight while the server closes is answered; only then do connections end.
  return503OnClosing: false,
  genReqId: requestIdOf,
  requestIdHeader: false,
  clientErrorHandler: answerMalformedRequest,
  // Node's own answer to a request without a host has no body; ours names what is missing.
  http: { requireHostHeader: false },
  routerOptions: { maxParamLength: pathSegmentLengthMax },
} satisfies FastifyServerOptions & { http: ServerOptions };
