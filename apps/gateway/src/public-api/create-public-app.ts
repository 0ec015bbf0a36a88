import { NestLogger } from '@app/platform';
import { RedisServer } from '@app/transport';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { KeyCache } from '../authentication/key-cache.js';
import { addDeprecation } from '../deprecation/announce-deprecation.js';
import { deprecationHeaders } from '../deprecation/deprecation-headers.js';
import { type AppOptions } from '../http/server/app-options.js';
import { httpOptions } from '../http/server/http-options.js';
import { readTls } from '../http/server/tls.js';
import { proxyTrust } from '../network/proxy-trust.js';
import { configurePublicApp } from './configure-public-app.js';
import { PublicAppModule } from './public-app.module.js';
import { publicPrefix } from '../http/server/public-prefix.js';

/** Idle time after which a connection is closed, also when its client does not read the answer. */
const silenceMaxMs = 30_000;
/** A look-up of a hundred long links fits. Clients without a key may send less (`BodyAllowance`). */
const bodyBytesMax = 65_536;

/** The public API, not listening yet; it already receives key changes. */
export async function createPublicApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { config, logger } = options;
  const deprecation = deprecationHeaders(config);
  const beforeRoutes: typeof httpOptions.frameworkErrors = (error, request, reply) => {
    if (deprecation) addDeprecation(reply, publicPrefix, deprecation);
    httpOptions.frameworkErrors(error, request, reply);
  };
  const adapter = new FastifyAdapter({
    ...httpOptions,
    trustProxy: proxyTrust(config.TRUST_PROXY),
    requestTimeout: 10_000,
    connectionTimeout: silenceMaxMs,
    bodyLimit: bodyBytesMax,
    ...readTls(config),
    frameworkErrors: beforeRoutes,
  });
  const app = await NestFactory.create<NestFastifyApplication>(PublicAppModule.forRoot(options), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  configurePublicApp(app, options);
  const events = app.get(RedisServer);
  events.on('subscribed', () => app.get(KeyCache).clear());
  app.connectMicroservice({ strategy: events });
  await app.startAllMicroservices();
  return app.init();
}
