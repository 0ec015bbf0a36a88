import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Logger } from '@app/platform';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { creditsWarning } from '../charging/credits-warning.js';
import { errorBody } from './error-body.js';
import { InsufficientCreditsError } from './insufficient-credits.error.js';
import { httpErrorByCode } from './status-by-code.js';
import { toServiceError } from './to-service-error.js';

const retryAfterSeconds = '1';

/** Answers every error of both APIs. The reason behind it is logged with the request id and never sent. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(raised: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = toServiceError(raised);
    const { status, logLevel } = httpErrorByCode[error.code];
    const reason: unknown = error.cause ?? error;
    this.logger[logLevel]({ err: reason, request_id: request.id, code: error.code }, 'request failed');
    if (reply.sent || reply.raw.headersSent) return;

    if (status === 401 && !reply.hasHeader('www-authenticate')) {
      void reply.header('www-authenticate', 'Bearer');
    }
    if (status === 503) void reply.header('retry-after', retryAfterSeconds);
    if (error instanceof InsufficientCreditsError) warnOfLowBalance(reply, error.creditsRemaining);
    void reply
      .code(status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(error)));
  }
}

function warnOfLowBalance(reply: FastifyReply, creditsRemaining: number): void {
  const warning = creditsWarning(creditsRemaining);
  if (warning !== undefined) void reply.header('x-credits-warning', warning);
}
