import { type ServerOptions } from 'node:http';
import { type FastifyServerOptions } from 'fastify';
import { AcknowledgedResponse } from '../../connections/acknowledged-response.js';
import { sendError } from '../../errors/send-error.js';
import { toServiceError } from '../../errors/to-service-error.js';
import { answerMalformedRequest } from '../answers/malformed-request.js';
import { requestIdOf } from '../requests/request-id.js';
import { responseHeaders } from '../answers/response-headers.js';

/** Longer than any slug, so that an overlong one is validated and not found, not refused by the router. */
const pathSegmentLengthMax = 4_096;

/** Limits on slow clients and how answers end, for servers with and without TLS. */
export const serverLimits = {
  // Node's own answer to a request without a host has no body; ours names what is missing.
  requireHostHeader: false,
  headersTimeout: 4_000,
  connectionsCheckingInterval: 500,
  ServerResponse: AcknowledgedResponse,
} satisfies ServerOptions;

/** Options of both HTTP servers of the gateway. */
export const httpOptions = {
  logger: false,
  exposeHeadRoutes: false,
  // Longer than the usual 60 s of load balancers, so that a gateway closes no connection on which one is sending a request.
  keepAliveTimeout: 72_000,
  // Requests in flight when the server closes are answered; only then are connections closed.
  return503OnClosing: false,
  genReqId: requestIdOf,
  requestIdHeader: false,
  clientErrorHandler: answerMalformedRequest,
  // A path that can't be decoded never reaches a hook.
  frameworkErrors: (error, request, reply) => {
    void reply.header('x-request-id', request.id).headers(responseHeaders);
    sendError(reply, toServiceError(error, request));
  },
  http: serverLimits,
  routerOptions: { maxParamLength: pathSegmentLengthMax },
} satisfies FastifyServerOptions & { http: ServerOptions };
