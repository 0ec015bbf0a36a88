import { closeWhenShuttingDown } from '#http';
import { NestLogger } from '#platform';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { compressAnswer } from '../edge/compression.js';
import { type AppOptions, httpOptions, handleUnroutedErrors } from '../edge/http-server.js';
import { countAnswer, logRequest, observeRequest } from '../edge/observe-requests.js';
import { checkHead } from '../edge/request-checks.js';
import { RouteMethods } from '../edge/routes.js';
import { decorateRequests, serializeRequests } from '../edge/serialize-requests.js';
import { AdminModule } from './admin.module.js';
import { AdminAuthenticator } from './operators/admin-authenticator.js';
import { streamNdjsonBody } from './import/ndjson-body.js';
import { tooDeep } from '../requests/read-request.js';
import { isTooDeep } from '#contracts';
import { type FastifyInstance } from 'fastify';

const prefix = 'admin/v1';
const importUrl = `/${prefix}/creators/import`;
/** Longer than the slowest answer takes, which is an audit. */
const silenceMaxMs = 150_000;

/** The admin API, not listening yet. */
export async function createAdminApp(options: AppOptions): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(AdminModule.forRoot(options), adminAdapter(), {
    bodyParser: false,
    logger: new NestLogger(options.logger),
    abortOnError: false,
  });
  configureAdminApp(app, options);
  return app.init();
}

/** An import may take an hour, so there is no time limit on receiving a request. */
export function adminAdapter(): FastifyAdapter {
  return new FastifyAdapter({ ...httpOptions, requestTimeout: 0, connectionTimeout: silenceMaxMs });
}

/**
 * The hooks of the admin port, in their order (those of the public one: `edge/public-edge.ts`). The token is checked before the
 * path is routed or the body is read. Call before `init`.
 */
export function configureAdminApp(
  app: NestFastifyApplication,
  { config, logger, shutdown }: AppOptions,
): void {
  const server = app.getHttpAdapter().getInstance();
  const methods = app.get(RouteMethods);
  const authenticator = app.get(AdminAuthenticator);
  decorateRequests(server);
  handleUnroutedErrors(server);
  server.addHook('onRoute', methods.add);
  server.addHook('onRequest', serializeRequests(server));
  server.addHook('onRequest', observeRequest('admin'));
  server.addHook('onRequest', checkHead);
  server.addHook('onRequest', (request) => authenticator.authenticate(request));
  server.addHook('onRequest', methods.refuseWrongMethod);
  server.removeContentTypeParser('text/plain');
  refuseDeepJson(server);
  streamNdjsonBody(server, importUrl);
  server.addHook('onSend', countAnswer('admin'));
  if (config.COMPRESS_ANSWERS === 'true') server.addHook('onSend', compressAnswer);
  server.addHook('onSend', closeWhenShuttingDown(shutdown));
  server.addHook('onResponse', logRequest(logger));
  app.setGlobalPrefix(prefix);
}

/** JSON is parsed as Fastify does, unless it is nested too deep for that. */
function refuseDeepJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (isTooDeep(body)) done(tooDeep());
    else void parse(request, body, done);
  });
}
