import { readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerOptions } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import { requestIdPattern, type ServiceError } from '#contracts';
import { type Logger } from '#platform';
import { type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { type GatewayConfig } from '../config/gateway-config.js';
import { sendError } from '../errors/send-error.js';
import { toServiceError } from '../errors/to-service-error.js';
import { invalidRequest } from '../requests/read-request.js';
import { type Shutdown } from '../shutdown/shutdown.js';
import { RawQuery } from '../validation/raw-query.js';
import { AcknowledgedResponse } from './connections/acknowledged-response.js';
import { lateMs } from './connections/connection.js';
import { answerMalformedRequest } from './malformed-request.js';
import { setCommonHeaders } from './request-checks.js';

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
  headersTimeout: lateMs,
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

/** The caller's `x-request-id` when valid, else a generated one. Only a label, neither unique nor trusted. */
function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : uuidv7();
}

interface Tls {
  readonly https:
    | ({ readonly cert: Buffer; readonly key: Buffer; readonly allowHalfOpen: true } & typeof serverLimits)
    | null;
}

/**
 * The certificate and key of the public port, validated by the configuration; `null` when it serves plain HTTP behind a
 * proxy.
 */
export function readTls({ TLS_CERT_FILE, TLS_KEY_FILE }: GatewayConfig): Tls {
  if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return { https: null };
  return {
    https: {
      cert: readFileSync(TLS_CERT_FILE),
      key: readFileSync(TLS_KEY_FILE),
      // As without TLS: a half-closed client still gets its answers.
      allowHalfOpen: true,
      ...serverLimits,
    },
  };
}

/** Whether the address that is `hop` steps away from the gateway, counted from 0, is a proxy that is believed. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** `X-Forwarded-For` is trusted from a number of proxies in front, or from the named ones. */
export function proxyTrust(proxies: GatewayConfig['TRUST_PROXY']): ProxyTrust {
  if (proxies === false) return () => false;
  return typeof proxies === 'number' ? (_, hop) => hop < proxies : compile(proxies);
}

/** systemd's convention: inherited sockets begin at descriptor 3. */
const inherited = { public: 3, admin: 4 } as const;

/** An inherited descriptor where the parent process passed one, else host and port. */
export function listenAddress(
  config: GatewayConfig,
  server: keyof typeof inherited,
): { host: string; port: number } | { host: string; fd: number } {
  const [host, port] =
    server === 'public' ? [config.HOST, config.PORT] : [config.ADMIN_HOST, config.ADMIN_PORT];
  const fd = inherited[server];
  return fd < inherited.public + config.LISTEN_FDS ? { host, fd } : { host, port };
}
