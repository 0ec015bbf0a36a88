import { ServiceError } from '@app/contracts';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { takeTurns } from '../connections/exchange-of-request.js';
import { addCommonHooks } from '../http/server/common-hooks.js';
import { type AppOptions } from '../http/server/app-options.js';
import { carriesAdminToken } from './admin-token.js';
import { streamNdjsonBody } from './import/ndjson-body.js';
import { compressAnswers } from '../compression/compress-answers.js';
import { RouteMethods } from '../http/server/route-methods.js';

const prefix = 'admin/v1';
const importUrl = `/${prefix}/creators/import`;

/**
 * Checks every admin request before Nest sees it: first the token, before the path is routed or the body is read, then
 * the method. Call before `init`.
 */
export function configureAdminApp(app: NestFastifyApplication, { config, logger }: AppOptions): void {
  const server = app.getHttpAdapter().getInstance();
  takeTurns(server);
  addCommonHooks(server, 'admin', logger);
  const routeMethods = new RouteMethods(server);
  server.addHook('onRequest', async (request, reply) => {
    if (!carriesAdminToken(request.headers.authorization, config.ADMIN_TOKEN)) throw unauthorized();
    routeMethods.refuseWrongMethod(request, reply);
  });
  server.removeContentTypeParser('text/plain');
  streamNdjsonBody(server, importUrl);
  if (config.COMPRESS_ANSWERS === 'true') compressAnswers(server);
  app.setGlobalPrefix(prefix);
}

function unauthorized(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'The admin token is missing or wrong: send Authorization: Bearer <ADMIN_TOKEN>.',
  );
}
