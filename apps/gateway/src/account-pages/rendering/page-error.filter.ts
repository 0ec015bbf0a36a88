import { LOGGER, type Logger } from '#platform';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { RefusedError } from '../../errors/gateway-errors.js';
import { reportError } from '../../errors/error.filter.js';
import { httpErrorByCode } from '../../errors/status-by-code.js';
import { NetworkLimitError } from '../../rate-limit/network-limits.js';
import { pagePaths, withQuery } from '../paths/page-paths.js';
import { NoAccountError, SignedOutError } from '../sessions/session.guard.js';
import { errorPage } from './error.page.js';
import { pageHeaders, PageRenderer } from './page-renderer.js';

const retryAfterSeconds = '1';

/** Shows errors as pages. The cause of an internal error is logged with the request id and never sent. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly renderer: PageRenderer,
  ) {}

  catch(raised: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (raised instanceof SignedOutError) {
      const { wantedPath } = raised;
      const return_to = wantedPath === pagePaths.overview ? undefined : wantedPath;
      return redirect(reply, withQuery(pagePaths.signIn, { return_to }));
    }
    if (raised instanceof NoAccountError) return redirect(reply, pagePaths.accounts);
    const error = reportError(raised, request, this.logger);
    if (reply.sent || reply.raw.headersSent) return;
    if (error instanceof RefusedError) reply.isRefusal = true;
    const { status } = httpErrorByCode[error.code];
    if (status === 503) void reply.header('retry-after', retryAfterSeconds);
    if (error instanceof NetworkLimitError) void reply.header('retry-after', error.retryAfterSeconds);
    void reply.send(this.renderer.render(errorPage(error, status, request.id), request, reply));
  }
}

function redirect(reply: FastifyReply, location: string): void {
  void reply.code(303).headers(pageHeaders()).header('location', location).send('');
}
