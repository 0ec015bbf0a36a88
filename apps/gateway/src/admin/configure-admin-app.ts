import { ValidationPipe } from '@nestjs/common';
import { ServiceError } from '@app/contracts';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { addCommonHooks } from '../http/common-hooks.js';
import { ErrorFilter } from '../errors/error.filter.js';
import { type AdminOptions } from './admin.options.js';
import { carriesAdminToken } from './admin-token.js';
import { streamNdjsonBody } from './import/ndjson-body.js';
import { RouteMethods } from '../http/route-methods.js';
import { JsonObjectPipe } from './validation/json-object.pipe.js';
import { invalidFields } from './validation/validation-errors.js';

const prefix = 'admin/v1';
const importUrl = `/${prefix}/creators/import`;

/**
 * The rules that hold for every admin request: the token first, before a path is judged or a body is read; then the
 * method; then bodies and queries, where a field that is not known is an error like any other. Call before `init`.
 */
export function configureAdminApp(app: NestFastifyApplication, options: AdminOptions): void {
  const server = app.getHttpAdapter().getInstance();
  addCommonHooks(server, 'admin', options.logger);
  const routeMethods = new RouteMethods(server);
  server.addHook('onRequest', async (request, reply) => {
    if (!carriesAdminToken(request.headers.authorization, options.adminToken)) throw unauthorized();
    routeMethods.refuseWrongMethod(request, reply);
  });
  server.removeContentTypeParser('text/plain');
  streamNdjsonBody(server, importUrl);
  app.useGlobalFilters(new ErrorFilter(options.logger));
  app.setGlobalPrefix(prefix);
  app.useGlobalPipes(
    new JsonObjectPipe(),
    new ValidationPipe({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: invalidFields,
    }),
  );
}

function unauthorized(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'The admin token is missing or wrong: send Authorization: Bearer <ADMIN_TOKEN>.',
  );
}
