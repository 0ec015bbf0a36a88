import { type Server } from 'node:net';
import {
  busy,
  closeWhenShuttingDown,
  followCertificate,
  forwardedAddresses,
  keepAliveMs,
  LIMITS_REDIS,
  networkOf,
  proxyTrust,
  readCertificate,
  requestIdOf,
  requestsInFlight,
} from '#http';
import { ServiceError } from '#contracts';
import { NestLogger } from '#platform';
import { type RedisConnection } from '#transport';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import files from '@fastify/static';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { siteOrigin } from './config/origins.js';
import { type WebsiteConfig } from './config/website-config.js';
import { NetworkSlots } from './network-slots.js';
import { limits } from './limits.js';
import { NetworkLimitError } from './network-limits.js';
import { observeRequests } from './observe-requests.js';
import { receivePaymentEvents } from './payment-events/payment-events.controller.js';
import { filesDirectory } from './paths/page-files.js';
import { securityHeaders, setPageHeaders } from './rendering/page-headers.js';
import { MemberSessions } from './sessions/member-sessions.js';
import { messageContextOf } from './sessions/request-context.js';
import { WebsiteModule, type WebsiteOptions } from './website.module.js';

/** Longer than any part of a path that leads to a page. */
const pathSegmentLengthMax = 1_000;

const noSuchPage = new ServiceError('not_found', 'No such path.');

/** Not sent: people do not need them. */
const countHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
};

/** The website, not listening yet. */
export async function createWebsite(options: WebsiteOptions): Promise<NestFastifyApplication> {
  const { config, logger } = options;
  const certificate = readCertificate(config);
  const adapter = new FastifyAdapter({
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: proxyTrust(config.TRUST_PROXY),
    rewriteUrl: decodableUrl,
    keepAliveTimeout: keepAliveMs,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.silenceMs,
    bodyLimit: limits.form,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: pathSegmentLengthMax },
    ...(certificate && { https: certificate }),
  });
  const app = await NestFactory.create<NestFastifyApplication>(WebsiteModule.forRoot(options), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const server = app.getHttpAdapter().getInstance();
  followCertificate(server.server, config, logger);
  boundConnections(server.server, config);
  // An error that a hook raises is a page, which needs cookies and headers.
  await addPlugins(app, options);
  addHooks(server, options);
  return app.init();
}

/** Fastify's own answer to a path that can't be decoded is no page: such a path is one that does not exist. */
function decodableUrl({ url = '/' }: { readonly url?: string }): string {
  try {
    decodeURI(url.split('?', 1)[0] ?? '');
    return url;
  } catch {
    return '/not-found';
  }
}

/** A connection beyond a bound is closed; proxies, through which many clients come, have no bound of their own. */
function boundConnections(server: Server, { TRUST_PROXY }: WebsiteConfig): void {
  const isProxy = proxyTrust(TRUST_PROXY);
  const held = new NetworkSlots(limits.connections, limits.connectionsOfNetwork);
  server.maxConnections = limits.connections;
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    if (!held.tryHold(networkOf(remoteAddress), socket)) socket.destroy();
  });
}

/** Hooks before and after the handlers of Nest, in the order in which they run. */
function addHooks(server: FastifyInstance, { config, logger, shutdown }: WebsiteOptions): void {
  server.decorateRequest('guest').decorateRequest('messageContext');
  server.addHook('onRoute', receivePaymentEvents());
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    // Before anything asks for the address of the client.
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = forwardedAddresses(forwarded);
    done();
  });
  server.addHook('onRequest', setPageHeaders);
  server.addHook('onRequest', observeRequests(logger));
  server.addHook('onRequest', ({ method, routeOptions: { url = '' } }, _reply, done) => {
    if (requestsInFlight.website > limits.requestsInWork) return done(busy);
    // HEAD would do all of the work of a download.
    done(method === 'HEAD' && url.endsWith('.csv') ? noSuchPage : undefined);
  });
  server.addHook('preValidation', (request, _reply, done) => {
    request.messageContext = messageContextOf(request, config.REQUEST_DEADLINE_MS);
    done();
  });
  server.addHook('onSend', closeWhenShuttingDown(shutdown));
}

async function addPlugins(app: NestFastifyApplication, { config }: WebsiteOptions): Promise<void> {
  const server = app.getHttpAdapter().getInstance();
  const sessions = app.get(MemberSessions);
  const isSecure = siteOrigin(config).startsWith('https:');
  await server.register(helmet, securityHeaders(isSecure));
  await server.register(cookie);
  await server.register(rateLimit, {
    redis: app.get<RedisConnection>(LIMITS_REDIS, { strict: false }),
    nameSpace: 'website:limit:pages:',
    allowList: (request) => sessions.isKnown(request),
    keyGenerator: ({ ip }) => networkOf(ip),
    max: limits.pages.calls,
    timeWindow: limits.pages.seconds * 1_000,
    // Handlers that need Redis report that it is away.
    skipOnError: true,
    addHeaders: countHeaders,
    addHeadersOnExceeding: countHeaders,
    errorResponseBuilder: (_request, { ttl }) => new NetworkLimitError(Math.ceil(ttl / 1_000)),
  });
  if (config.COMPRESS_ANSWERS === 'true') await server.register(compress, { encodings: ['br', 'gzip'] });
  await server.register(files, { serve: false, root: filesDirectory });
  server.removeAllContentTypeParsers();
  await server.register(formbody);
  // Whatever it is, it is no form; of a payment event the signature covers these bytes.
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
