import { ServiceError } from '@app/contracts';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { compressAnswer } from '../edge/compression.js';
import { type AppOptions } from '../edge/http-server.js';
import { handleUnroutedErrors } from '../edge/malformed-request.js';
import { countAnswer, logRequest, observeRequest } from '../edge/observe-requests.js';
import { boundHeaders, checkHead } from '../edge/request-checks.js';
import { RouteMethods } from '../edge/route-methods.js';
import { decorateRequests, serializeRequests } from '../edge/serialize-requests.js';
import { closeWhenShuttingDown } from '../shutdown/graceful-shutdown.js';
import { carriesAdminToken } from './admin-token.js';
import { streamNdjsonBody } from './import/ndjson-body.js';

const prefix = 'admin/v1';
const importUrl = `/${prefix}/creators/import`;

/**
 * The hooks of the admin port, in their order (those of the public one: `edge/public-edge.ts`). The token is checked before the
 * path is routed or the body is read. Call before `init`.
 */
export function configureAdminApp(
  app: NestFastifyApplication,
  { config, logger, shutdown }: AppOptions,
): void {
  const server = app.getHttpAdapter().getInstance();
  const methods = new RouteMethods();
  decorateRequests(server);
  handleUnroutedErrors(server.server);
  server.addHook('onRoute', methods.add);
  server.addHook('onRequest', serializeRequests(server));
  server.addHook('onRequest', observeRequest('admin'));
  server.addHook('onRequest', boundHeaders);
  server.addHook('onRequest', checkHead);
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    done(carriesAdminToken(headers.authorization, config.ADMIN_TOKEN) ? undefined : unauthorized());
  });
  server.addHook('onRequest', methods.refuseWrongMethod);
  server.removeContentTypeParser('text/plain');
  streamNdjsonBody(server, importUrl);
  server.addHook('onSend', countAnswer('admin'));
  if (config.COMPRESS_ANSWERS === 'true') server.addHook('onSend', compressAnswer);
  server.addHook('onSend', closeWhenShuttingDown(shutdown));
  server.addHook('onResponse', logRequest(logger));
  app.setGlobalPrefix(prefix);
}

function unauthorized(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'The admin token is missing or wrong: send Authorization: Bearer <ADMIN_TOKEN>.',
  );
}
