import {
  type Closable,
  gauge,
  gauges,
  HealthChecks,
  type Logger,
  NestLogger,
  shutdownTimes,
  startInternalServer,
} from '@app/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames } from '@app/contracts';
import { connectRedis, createRedis, RedisServer, ServiceClient } from '@app/transport';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createAdminApp } from './admin/admin-app.js';
import { type Admission } from './admission/admission.js';
import { createAdmission } from './admission/create-admission.js';
import { KeyCache } from './authentication/key-cache.js';
import { Settler } from './charging/settler.js';
import { type GatewayConfig } from './config/gateway-config.js';
import { configurePublicApp } from './configure-public-app.js';
import { ConnectionLimit } from './connections/connection-limit.js';
import { httpOptions } from './http/http-options.js';
import { listenAddress } from './http/listen-address.js';
import { proxyTrust } from './network/proxy-trust.js';
import { readTls } from './http/tls.js';
import { PublicModule } from './public.module.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';
import { OrderlyEnd } from './shutdown/orderly-end.js';
import { Shutdown } from './shutdown/shutdown.js';

/** A fraction of a request's deadline, so that a Redis that hangs fails a search long before that. */
const rateLimitTimeoutMs = 1_500;
/** A connection on which nothing moves for so long is ended: also one whose client does not read its answer. */
const silenceMaxMs = 30_000;

interface PublicAppParts {
  readonly services: ServiceClient;
  readonly rateLimiter: RateLimiter;
  readonly logger: Logger;
  readonly admission: Admission;
}

/** The public API, not listening yet; it hears of changed keys as soon as it is initialised. */
export async function createPublicApp(
  parts: PublicAppParts,
  config: GatewayConfig,
): Promise<NestFastifyApplication> {
  const { logger, admission } = parts;
  const isTrusted = proxyTrust(config.TRUST_PROXY);
  const adapter = new FastifyAdapter({
    ...httpOptions,
    trustProxy: isTrusted,
    requestTimeout: 10_000,
    connectionTimeout: silenceMaxMs,
    ...readTls(config),
  });
  const module = PublicModule.register({ ...parts, handOverMs: config.HAND_OVER_MS });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  configurePublicApp(app, {
    logger,
    requestDeadlineMs: config.REQUEST_DEADLINE_MS,
    connections: new ConnectionLimit({
      connectionsMax: config.MAX_CONNECTIONS,
      perAddressMax: config.MAX_CONNECTIONS_PER_ADDRESS,
      isProxy: (address) => isTrusted(address, 0),
    }),
    admission,
  });
  const events = new RedisServer({ redisUrl: config.SERVICE_REDIS_URL, service: 'gateway', logger });
  events.on('subscribed', () => app.get(KeyCache).clear());
  app.connectMicroservice({ strategy: events });
  await app.startAllMicroservices();
  return app.init();
}

/** The whole process: the public API, the admin API and the internal port. */
export async function startGateway(config: GatewayConfig, logger: Logger): Promise<Closable> {
  const services = new ServiceClient({ redisUrl: config.SERVICE_REDIS_URL, logger });
  const redis = createRedis(config.SERVICE_REDIS_URL, logger, { commandTimeout: rateLimitTimeoutMs });
  const replicas = async (): Promise<Readonly<Record<string, number>>> => {
    const counts = await Promise.all(serviceNames.map((name) => services.liveReplicas(name)));
    return Object.fromEntries(serviceNames.map((name, index) => [name, counts[index] ?? 0]));
  };
  gauges('service_replicas', 'Replicas of the other services that are alive.', 'service', replicas);
  const isConnected = (): boolean => services.isReady && redis.status === 'ready';
  gauge('redis_connected', 'Whether messages can be sent and answered: 1, or 0.', () =>
    Number(isConnected()),
  );
  const admission = createAdmission(config);
  const shutdown = new Shutdown(shutdownTimes(config));
  let hasStarted = false;
  const checks = new HealthChecks();
  const admissionProblem = (): Promise<string | null> => Promise.resolve(admission.problem);
  checks.live.admission = admissionProblem;
  checks.ready.admission = admissionProblem;
  checks.ready.started = () =>
    Promise.resolve(shutdown.hasBegun ? 'draining' : hasStarted ? null : 'starting');
  // Without Redis or a service consumers get our 503: no reason for a load balancer to answer in our place.
  checks.details.redis = async () =>
    (await redis.ping()) === 'PONG' && isConnected() ? 'ok' : 'not connected';
  checks.details.replicas = () => replicas().catch(() => 'unknown: Redis does not answer');
  const internal = await startInternalServer({
    host: config.INTERNAL_HOST,
    port: config.INTERNAL_PORT,
    checks,
  });
  await Promise.all([services.connect(), connectRedis(redis, logger)]);

  const rateLimiter = new RateLimiter(redis);
  const publicApp = await createPublicApp({ services, rateLimiter, logger, admission }, config);
  const adminApp = await createAdminApp(services, { adminToken: config.ADMIN_TOKEN, logger });
  const apps = [publicApp, adminApp];
  const ends = apps.map((app) => new OrderlyEnd(app.getHttpAdapter().getInstance(), shutdown, logger));
  await publicApp.listen(listenAddress(config, 'public'));
  await adminApp.listen(listenAddress(config, 'admin'));
  hasStarted = true;
  logger.info({ url: await publicApp.getUrl(), admin_url: await adminApp.getUrl() }, 'listening');

  const close = async (): Promise<void> => {
    shutdown.begin();
    await delay(shutdown.msUntil('drained'));
    await Promise.all(ends.map((end) => end.come()));
    const closed = await Promise.allSettled(apps.map((app) => app.close()));
    await publicApp.get(Settler).flush(shutdown.msUntil('settled'));
    await services.close();
    redis.disconnect();
    await internal.close();
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  };
  return { close };
}
