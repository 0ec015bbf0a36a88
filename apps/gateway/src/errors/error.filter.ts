import { reportError } from '#http';
import { LOGGER, type Logger } from '#platform';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { sendError } from './send-error.js';

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
