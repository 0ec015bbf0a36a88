import { type ServiceError } from '@app/contracts';
import { LOGGER, type Logger } from '@app/platform';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { RefusedError } from './refused.error.js';
import { sendError } from './send-error.js';
import { httpErrorByCode } from './status-by-code.js';
import { toServiceError } from './to-service-error.js';

/** Answers every error of both APIs. The reason behind it is logged with the request id and never sent. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(raised: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = toServiceError(raised);
    if (!(error instanceof RefusedError)) this.log(error, request);
    if (!reply.sent && !reply.raw.headersSent) sendError(reply, error);
  }

  private log(error: ServiceError, request: FastifyRequest): void {
    const reason: unknown = error.cause ?? error;
    const fields = { err: reason, request_id: request.id, code: error.code };
    this.logger[httpErrorByCode[error.code].logLevel](fields, 'request failed');
  }
}
