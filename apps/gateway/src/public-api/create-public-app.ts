import { followCertificate, proxyTrust } from '#http';
import { NestLogger } from '#platform';
import { RedisServer } from '#transport';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { KeyCache } from '../authentication/key-cache.js';
import { withoutSlash } from '../edge/routes.js';
import { type AppOptions, httpOptions, readTls } from '../edge/http-server.js';
import { addPublicEdge } from '../edge/public-edge.js';
import { limits } from '../limits.js';
import { PublicAppModule } from './public-app.module.js';

/** Idle time after which a connection is closed, also when its client does not read the answer. */
const silenceMaxMs = 30_000;

/** The public API, not listening yet; it already receives key changes. */
export async function createPublicApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { config, logger } = options;
  const adapter = new FastifyAdapter({
    ...httpOptions,
    trustProxy: proxyTrust(config.TRUST_PROXY),
    rewriteUrl: withoutSlash,
    requestTimeout: limits.requestMs,
    connectionTimeout: silenceMaxMs,
    bodyLimit: limits.body,
    ...readTls(config),
  });
  const app = await NestFactory.create<NestFastifyApplication>(PublicAppModule.forRoot(options), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  followCertificate(app.getHttpServer(), config, logger);
  addPublicEdge(app, options);
  const events = app.get(RedisServer);
  events.on('subscribed', () => app.get(KeyCache).clear());
  app.connectMicroservice({ strategy: events });
  await app.startAllMicroservices();
  return app.init();
}
