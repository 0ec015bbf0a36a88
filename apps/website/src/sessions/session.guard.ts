import { isReadOnly } from '#http';
import { type AccountSession, type SessionView } from '#contracts';
import { newToken } from '#platform';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { pagePaths, withQuery } from '../paths/page-paths.js';
import { Cookies } from './cookies.js';
import { FormCheck } from './form-check.js';
import { KeptForms } from './kept-forms.js';
import { GuestRequest, MemberRequest, PersonRequest } from './member-request.js';
import { MemberSessions } from './member-sessions.js';
import { SignInCookie } from './sign-in-cookie.js';

/** A handler, or a whole controller, that also works for people without an account: they get a `PersonRequest`. */
export const WithoutAccount = Reflector.createDecorator<true>();

/** The browser is sent to another page than it asked for. */
export class RedirectError extends Error {
  constructor(readonly location: string) {
    super(`redirected to ${location}`);
  }
}

/** Admits people who are signed in; to pages of an account, only its members; and only forms of this session. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly cookies: Cookies,
    private readonly forms: FormCheck,
    private readonly sessions: MemberSessions,
    private readonly kept: KeptForms,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    this.forms.assertOrigin(request);
    const session = await this.sessions.find(request);
    if (!session) {
      if (!isReadOnly(request)) this.kept.keep(request, reply);
      throw new RedirectError(withQuery(pagePaths.signIn, { return_to: wantedPath(request) }));
    }
    const token = this.cookies.read(request, 'session') ?? '';
    const isMember = showsAccount(session);
    request.guest = isMember
      ? new MemberRequest(request, reply, token, session)
      : new PersonRequest(request, reply, token, session);
    this.forms.assertToken(request, token);
    const handler = [context.getHandler(), context.getClass()];
    if (isMember || this.reflector.getAllAndOverride(WithoutAccount, handler)) return true;
    // To their invitations.
    throw new RedirectError(pagePaths.accounts);
  }
}

/** Gives each guest a secret of their own, and admits only forms made with it. */
@Injectable()
export class GuestGuard implements CanActivate {
  constructor(
    private readonly cookie: SignInCookie,
    private readonly forms: FormCheck,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    this.forms.assertOrigin(request);
    const known = this.cookie.read(request);
    const token = known?.token ?? newToken();
    if (!known && isReadOnly(request)) this.cookie.set(reply, { token });
    request.guest = new GuestRequest(request, reply, token);
    this.forms.assertToken(request, token);
    return true;
  }
}

function showsAccount(session: SessionView): session is AccountSession {
  return session.account !== null && session.role !== null;
}

const { keys, buy, settings, accounts } = pagePaths;
const pagesWithForms = [`${settings}/email`, `${settings}/close`, keys, buy, settings, accounts];

/**
 * The page to return to, unless it is the overview: for a form its page, which asks to send it again. Forms are sent to paths
 * below their page.
 */
function wantedPath({ method, url }: FastifyRequest): string | undefined {
  if (isReadOnly({ method })) return url === pagePaths.overview ? undefined : url;
  const page = pagesWithForms.find((path) => url.startsWith(path));
  return page && withQuery(page, { done: 'not-saved' });
}
