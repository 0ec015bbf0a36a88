import { NestLogger } from '@app/platform';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AppOptions, httpOptions } from '../edge/http-server.js';
import { AdminAppModule } from './admin-app.module.js';
import { configureAdminApp } from './configure-admin-app.js';

/** Longer than the slowest answer takes, which is an audit. */
const silenceMaxMs = 150_000;

/** An import may take an hour, so there is no time limit on receiving a request. */
export function adminAdapter(): FastifyAdapter {
  return new FastifyAdapter({ ...httpOptions, requestTimeout: 0, connectionTimeout: silenceMaxMs });
}

/** The admin API, not listening yet. */
export async function createAdminApp(options: AppOptions): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AdminAppModule.forRoot(options),
    adminAdapter(),
    { bodyParser: false, logger: new NestLogger(options.logger), abortOnError: false },
  );
  configureAdminApp(app, options);
  return app.init();
}
