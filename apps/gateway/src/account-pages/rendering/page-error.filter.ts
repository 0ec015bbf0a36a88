import { LOGGER, type Logger } from '@app/platform';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { noteRefusal, RefusedError } from '../../errors/refused.error.js';
import { reportError } from '../../errors/report-error.js';
import { httpErrorByCode } from '../../errors/status-by-code.js';
import { pagePaths, withQuery } from '../paths/page-paths.js';
import { SignedOutError } from '../sessions/signed-out.error.js';
import { NoAccountError, WithheldAccountError } from '../sessions/without-account.js';
import { errorPage } from './error.page.js';
import { pageHeaders } from './page-headers.js';
import { PageRenderer } from './page-renderer.js';
import { withheldPage } from './withheld.page.js';

const retryAfterSeconds = '1';

/** Shows errors as pages. The reason behind a fault is logged with the request id and never sent. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly renderer: PageRenderer,
  ) {}

  catch(raised: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (raised instanceof SignedOutError) return this.signIn(reply, raised.wantedPath);
    if (raised instanceof NoAccountError) return redirect(reply, pagePaths.accounts);
    if (raised instanceof WithheldAccountError) {
      void reply.send(this.renderer.render(withheldPage(raised), request, reply));
      return;
    }
    const error = reportError(raised, request, this.logger);
    if (reply.sent || reply.raw.headersSent) return;
    if (error instanceof RefusedError) noteRefusal(reply);
    const { status } = httpErrorByCode[error.code];
    if (status === 503) void reply.header('retry-after', retryAfterSeconds);
    void reply.send(this.renderer.render(errorPage(error, status, request.id), request, reply));
  }

  private signIn(reply: FastifyReply, wantedPath: string): void {
    const returnTo = wantedPath === pagePaths.overview ? undefined : wantedPath;
    const location = withQuery(pagePaths.signIn, { return_to: returnTo });
    redirect(reply, location);
  }
}

function redirect(reply: FastifyReply, location: string): void {
  void reply.code(303).headers(pageHeaders()).header('location', location).send('');
}
