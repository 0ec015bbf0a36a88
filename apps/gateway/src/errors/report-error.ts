import { type ServiceError } from '@app/contracts';
import { type Logger } from '@app/platform';
import { type FastifyRequest } from 'fastify';
import { RefusedError } from './refused.error.js';
import { httpErrorByCode } from './status-by-code.js';
import { toServiceError } from './to-service-error.js';

/** What a caller is told of anything thrown. The reason behind it is logged with the request id and never sent. */
export function reportError(raised: unknown, request: FastifyRequest, logger: Logger): ServiceError {
  const error = toServiceError(raised, request);
  if (error instanceof RefusedError) return error;
  const fields = { err: error.cause ?? error, request_id: request.id, code: error.code };
  logger[httpErrorByCode[error.code].logLevel](fields, 'request failed');
  return error;
}
