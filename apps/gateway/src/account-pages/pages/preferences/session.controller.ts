import { endSession, switchAccount } from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { pagePaths, pagesPrefix, withQuery } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Cookies } from '../../sessions/cookies.js';
import { Form, type FormFields } from '../../sessions/form-fields.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { returnPath } from '../../sessions/return-path.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { SeeOther } from '../../view/page.js';
import { readTheme } from '../../view/theme.js';
import { readId } from '../read-id.js';

const themeMaxAgeSeconds = 365 * 24 * 3_600;

/** What every page offers: another account, another theme, and the way out. */
@MemberPages(pagesPrefix)
export class SessionController {
  constructor(
    private readonly services: ServiceClient,
    private readonly cookies: Cookies,
    private readonly sessions: MemberSessions,
  ) {}

  @Post('sign-out')
  async signOut(
    @CurrentVisit() visit: Visit,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SeeOther> {
    await this.services.request(endSession, { session_hash: sha256(visit.token) }, visit.context());
    this.sessions.end(reply);
    return new SeeOther(withQuery(pagePaths.signIn, { done: 'signed-out' }));
  }

  @Post('switch')
  async switchAccount(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<SeeOther> {
    const request = { session_hash: sha256(visit.token), account_id: readId(form.text('account_id')) };
    await this.services.request(switchAccount, request, visit.context());
    return new SeeOther(pagePaths.overview);
  }

  @Post('theme')
  setTheme(@Form() form: FormFields, @Res({ passthrough: true }) reply: FastifyReply): SeeOther {
    this.cookies.set(reply, 'theme', readTheme(form.text('theme')), themeMaxAgeSeconds);
    return new SeeOther(returnPath(form.text('return_to')));
  }
}
