import { type IncomingMessage, type ServerOptions, STATUS_CODES } from 'node:http';
import { type ServiceError } from '#contracts';
import {
  invalidRequest,
  keepAliveMs,
  readCertificate,
  requestIdOf,
  type Shutdown,
  toServiceError,
} from '#http';
import { type Logger } from '#platform';
import { type FastifyRequest, type FastifyServerOptions, type FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { type GatewayConfig } from '../config/gateway-config.js';
import { sendError } from '../errors/send-error.js';
import { limits } from '../limits.js';
import { RawQuery } from '../validation/raw-query.js';
import { AcknowledgedResponse } from './connections/acknowledged-response.js';
import { Connection, hangUp } from './connections/connection.js';
import { setCommonHeaders, responseHeaders } from './request-checks.js';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';

/** What both applications of a gateway process are created from. */
export interface AppOptions {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}

/** Longer than any head, so that an overlong slug is validated and not found: the router would repeat it. */
const pathSegmentLengthMax = 16_384;

/** Limits on slow clients and how answers end, for servers with and without TLS. */
const serverLimits = {
  // Node's own answer to a request without a host has no body; ours names what is missing.
  requireHostHeader: false,
  headersTimeout: limits.headersMs,
  connectionsCheckingInterval: 500,
  ServerResponse: AcknowledgedResponse,
} satisfies ServerOptions;

/** Options of both HTTP servers of the gateway. */
export const httpOptions = {
  logger: false,
  exposeHeadRoutes: false,
  keepAliveTimeout: keepAliveMs,
  // Requests in flight when the server closes are answered; only then are connections closed.
  return503OnClosing: false,
  genReqId: requestIdOf,
  requestIdHeader: false,
  clientErrorHandler: answerMalformedRequest,
  // A path that can't be decoded never reaches a hook.
  frameworkErrors: (error, request, reply) => {
    setCommonHeaders(request, reply);
    sendError(reply, error.code === 'FST_ERR_BAD_URL' ? badPath(request) : toServiceError(error, request));
  },
  http: serverLimits,
  routerOptions: { maxParamLength: pathSegmentLengthMax, querystringParser: RawQuery.parse },
} satisfies FastifyServerOptions & { http: ServerOptions };

/** A path that is not percent-encoded UTF-8; its last part may be the parameter that is wrong. */
function badPath({ raw: { url = '' } }: FastifyRequest): ServiceError {
  const name = /\/creators\/[^/?]*%[^/?]*(?:\?|$)/.test(url) ? 'slug' : 'path';
  return invalidRequest({ [name]: [`${name} must be percent-encoded UTF-8`] });
}

/** The certificate and key of the public port, and how its server behaves; `null` when it serves plain HTTP behind a proxy. */
export function readTls(config: GatewayConfig) {
  const certificate = readCertificate(config);
  // A half-closed client still gets its answers, as without TLS.
  return { https: certificate && { ...certificate, allowHalfOpen: true as const, ...serverLimits } };
}

type RawAnswer = readonly [status: number, error: string];

const malformed: RawAnswer = [400, 'This is not a valid HTTP request.'];
const answers: Readonly<Record<string, RawAnswer>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are too large; send at most 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time.'],
};
const tunnel: RawAnswer = [405, 'CONNECT is not supported; use GET.'];
const expectation: RawAnswer = [417, 'Unsupported Expect header: only 100-continue is accepted.'];

/**
 * Answers invalid HTTP with our error body and closes the connection: such a request never reaches a route. Earlier
 * requests of the connection are answered first.
 */
export function answerMalformedRequest(
  this: FastifyInstance,
  problem: Error & { code?: string },
  socket: Socket,
): void {
  if (problem.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const answer = rawAnswer(answers[problem.code ?? ''] ?? malformed, this);
  const connection = Connection.of(socket);
  const refuse = (): void => connection.endWith(() => hangUp(socket, answer));
  if (problem.code === 'ERR_HTTP_REQUEST_TIMEOUT') connection.late(refuse);
  else refuse();
}

/** Answers what Node's server would itself refuse without a body: CONNECT and unsupported Expect headers. */
export function handleUnroutedErrors(fastify: FastifyInstance): void {
  const { server } = fastify;
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => socket.end(rawAnswer(tunnel, fastify)));
  server.on('checkExpectation', ({ socket }: IncomingMessage) =>
    Connection.of(socket).endWith(() => hangUp(socket, rawAnswer(expectation, fastify))),
  );
}

function rawAnswer([status, error]: RawAnswer, { securityHeaders }: FastifyInstance): string {
  const body = JSON.stringify({ error, ...(status === 400 ? { details: { request: [error] } } : {}) });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...responseHeaders,
    ...securityHeaders,
    'x-request-id': uuidv7(),
    Connection: 'close',
    ...(status === 405 ? { Allow: 'GET' } : {}),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
