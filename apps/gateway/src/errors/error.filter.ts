import { LOGGER, type Logger } from '#platform';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendError } from './send-error.js';
import { type ServiceError } from '#contracts';
import { RefusedError } from './gateway-errors.js';
import { httpErrorByCode } from './status-by-code.js';
import { toServiceError } from './to-service-error.js';

/** Answers every error of both APIs. The reason behind it is logged with the request id and never sent. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(raised: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = reportError(raised, request, this.logger);
    if (!reply.sent && !reply.raw.headersSent) sendError(reply, error);
  }
}

/** The error that a caller gets for anything thrown. The reason behind it is logged with the request id and never sent. */
export function reportError(raised: unknown, request: FastifyRequest, logger: Logger): ServiceError {
  const error = toServiceError(raised, request);
  if (error instanceof RefusedError) return error;
  const fields = { err: error.cause ?? error, request_id: request.id, code: error.code };
  logger[httpErrorByCode[error.code].logLevel](fields, 'request failed');
  return error;
}
