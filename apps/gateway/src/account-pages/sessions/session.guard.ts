import { sha256 } from '@app/platform';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { readsOnly } from '../../http/requests/reads-only.js';
import { pagesPrefix } from '../paths/page-paths.js';
import { Cookies } from './cookies.js';
import { FormCheck } from './form-check.js';
import { SessionLookUps } from './session-look-ups.js';
import { SignedOutError } from './signed-out.error.js';
import { isToken } from './tokens.js';
import { PersonVisit, rememberVisitor, Visit, Visitor } from './visit.js';
import {
  NoAccountError,
  showsAccount,
  WithheldAccountError,
  worksWithoutAccount,
} from './without-account.js';

/** Admits people who are signed in, to pages of an account its members only, and forms that this session was given. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly cookies: Cookies,
    private readonly forms: FormCheck,
    private readonly sessions: SessionLookUps,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    this.forms.assertOrigin(request);
    const token = this.cookies.read(request, 'session') ?? '';
    const travelling = new Visitor(request, token).context();
    const session = isToken(token) ? await this.sessions.find(sha256(token), request.ip, travelling) : null;
    if (!session) throw new SignedOutError(wantedPath(request));
    const isMember = showsAccount(session);
    rememberVisitor(
      request,
      isMember ? new Visit(request, token, session) : new PersonVisit(request, token, session),
    );
    this.forms.assertToken(request, token);
    if (isMember || worksWithoutAccount(context)) return true;
    if (session.withheld) throw new WithheldAccountError(session.withheld, session, wantedPath(request));
    throw new NoAccountError();
  }
}

/** Where to return to: a form can not be sent again, so its page. */
function wantedPath(request: FastifyRequest): string {
  return readsOnly(request) ? request.url : (request.url.split('?', 1)[0] ?? pagesPrefix);
}
