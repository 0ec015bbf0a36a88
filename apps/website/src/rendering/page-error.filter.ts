import { httpErrorByCode, reportError } from '#http';
import { LOGGER, type Logger } from '#platform';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { NetworkLimitError } from '../network-limits.js';
import { paymentEventsPath } from '../paths/page-paths.js';
import { RedirectError } from '../sessions/session.guard.js';
import { errorPage } from './error.page.js';
import { PageRenderer } from './page-renderer.js';

const retryAfterSeconds = '1';

/** Shows errors as pages; to programs, as JSON. The cause of an internal error is logged with the request id and never sent. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly renderer: PageRenderer,
  ) {}

  catch(raised: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (raised instanceof RedirectError) {
      void reply.code(303).header('location', raised.location).send('');
      return;
    }
    const error = reportError(raised, request, this.logger);
    if (reply.sent || reply.raw.headersSent) return;
    const { status } = httpErrorByCode[error.code];
    if (status === 503) void reply.header('retry-after', retryAfterSeconds);
    if (error instanceof NetworkLimitError) void reply.header('retry-after', error.retryAfterSeconds);
    const { message, details } = error;
    if (isForProgram(request)) void reply.code(status).send({ error: message, ...(details && { details }) });
    else void reply.send(this.renderer.render(errorPage(error, status, request.id), request, reply));
  }
}

/** Stripe, and clients that ask for an unknown path and are not browsers. */
function isForProgram({ is404, url, headers }: FastifyRequest): boolean {
  return url.startsWith(paymentEventsPath) || (is404 && !(headers.accept ?? '').includes('text/html'));
}
