import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLogger } from '@app/platform';
import { type ServiceClient } from '@app/transport';
import { httpOptions } from '../http/http-options.js';
import { AdminModule } from './admin.module.js';
import { type AdminOptions } from './admin.options.js';
import { configureAdminApp } from './configure-admin-app.js';

/** Longer than the longest answer takes, which is that of an audit. */
const silenceMaxMs = 150_000;

/** The admin API as an application of its own, ready to listen. It uses `services` and leaves closing them to its owner. */
export async function createAdminApp(
  services: ServiceClient,
  options: AdminOptions,
): Promise<NestFastifyApplication> {
  // An import may take an hour: there is no limit on the time in which a request has to arrive.
  const adapter = new FastifyAdapter({ ...httpOptions, requestTimeout: 0, connectionTimeout: silenceMaxMs });
  const module = AdminModule.register(services, options);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: new NestLogger(options.logger),
    abortOnError: false,
  });
  configureAdminApp(app, options);
  return app.init();
}
