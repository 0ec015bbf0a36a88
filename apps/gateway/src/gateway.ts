import {
  type Closable,
  createLogger,
  gauge,
  gauges,
  type Logger,
  NestLogger,
  startInternalServer,
} from '@app/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { connectRedis, createRedis, RedisServer, ServiceClient } from '@app/transport';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyServerOptions } from 'fastify';
import { createAdminApp } from './admin/admin-app.js';
import { KeyCache } from './authentication/key-cache.js';
import { Settler } from './charging/settler.js';
import { type GatewayConfig } from './config/gateway-config.js';
import { configurePublicApp } from './configure-public-app.js';
import { httpOptions } from './http/http-options.js';
import { listenAddress } from './http/listen-address.js';
import { readTls } from './http/tls.js';
import { PublicModule, type PublicParts } from './public.module.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';

const settleOnShutdownMs = 5_000;
/** A fraction of a request's deadline, so that a Redis that hangs fails a search long before that. */
const rateLimitTimeoutMs = 1_500;
/** A connection on which nothing moves for so long is ended: also one whose client does not read its answer. */
const silenceMaxMs = 30_000;
/** More than a gateway can serve: what comes beyond is not accepted. */
const connectionsMax = 10_000;
const serviceNames = ['catalog', 'billing'] as const;

/** `X-Forwarded-For` is believed of so many proxies in front, or of those that are named. */
function trusted(proxies: GatewayConfig['TRUST_PROXY']): FastifyServerOptions['trustProxy'] {
  return typeof proxies === 'number' ? (_, hop) => hop < proxies : proxies;
}

/** The public API, not listening yet; it hears of changed keys as soon as it is initialised. */
export async function createPublicApp(
  parts: PublicParts,
  config: GatewayConfig,
): Promise<NestFastifyApplication> {
  const { logger } = parts;
  const adapter = new FastifyAdapter({
    ...httpOptions,
    trustProxy: trusted(config.TRUST_PROXY),
    requestTimeout: 10_000,
    connectionTimeout: silenceMaxMs,
    ...readTls(config),
  });
  const app = await NestFactory.create<NestFastifyApplication>(PublicModule.register(parts), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  configurePublicApp(app, {
    logger,
    requestDeadlineMs: config.REQUEST_DEADLINE_MS,
    inFlight: { floor: config.IN_FLIGHT_MIN, ceiling: Math.max(config.IN_FLIGHT_MIN, config.IN_FLIGHT_MAX) },
    isDraining: parts.isDraining ?? (() => false),
  });
  const events = new RedisServer({ redisUrl: config.SERVICE_REDIS_URL, service: 'gateway', logger });
  events.on('subscribed', () => app.get(KeyCache).clear());
  app.getHttpServer().maxConnections = connectionsMax;
  app.connectMicroservice({ strategy: events });
  await app.startAllMicroservices();
  return app.init();
}

/** The whole process: the public API, the admin API and the internal port. */
export async function startGateway(config: GatewayConfig): Promise<{ logger: Logger; service: Closable }> {
  const logger = createLogger({
    service: 'gateway',
    level: config.LOG_LEVEL,
    pretty: config.LOG_PRETTY === 'true',
  });
  const services = new ServiceClient({ redisUrl: config.SERVICE_REDIS_URL, logger });
  const redis = createRedis(config.SERVICE_REDIS_URL, logger, { commandTimeout: rateLimitTimeoutMs });
  const replicas = async (): Promise<Readonly<Record<string, number>>> => {
    const counts = await Promise.all(serviceNames.map((name) => services.liveReplicas(name)));
    return Object.fromEntries(serviceNames.map((name, index) => [name, counts[index] ?? 0]));
  };
  gauges('service_replicas', 'Replicas of the other services that are alive.', 'service', replicas);
  gauge('redis_connected', 'Whether messages can be sent and answered: 1, or 0.', () =>
    Number(services.isReady),
  );
  let state: 'starting' | 'started' | 'draining' = 'starting';
  const internal = await startInternalServer({
    host: config.INTERNAL_HOST,
    port: config.INTERNAL_PORT,
    checks: {
      started: () => Promise.resolve(state === 'started' ? null : state),
      redis: async () => ((await redis.ping()) === 'PONG' && services.isReady ? null : 'not connected'),
    },
    // A service without a replica is our consumers' 503, and no reason for a load balancer to answer in our place.
    details: async () => ({ replicas: await replicas().catch(() => 'unknown: Redis does not answer') }),
  });
  await Promise.all([services.connect(), connectRedis(redis, logger)]);

  const parts = {
    services,
    rateLimiter: new RateLimiter(redis),
    logger,
    isDraining: () => state === 'draining',
  };
  const publicApp = await createPublicApp(parts, config);
  const adminApp = await createAdminApp(services, { adminToken: config.ADMIN_TOKEN, logger });
  await publicApp.listen(listenAddress(config, 'public'));
  await adminApp.listen(listenAddress(config, 'admin'));
  state = 'started';
  logger.info({ url: await publicApp.getUrl(), admin_url: await adminApp.getUrl() }, 'listening');

  const close = async (): Promise<void> => {
    state = 'draining';
    await delay(config.DRAIN_MS);
    await Promise.all([publicApp.close(), adminApp.close()]);
    await publicApp.get(Settler).flush(settleOnShutdownMs);
    await services.close();
    redis.disconnect();
    await internal.close();
  };
  return { logger, service: { close } };
}
