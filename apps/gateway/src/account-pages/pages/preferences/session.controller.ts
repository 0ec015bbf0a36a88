import { endSession, switchAccount } from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { pagePaths, pagesPrefix, withQuery } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields } from '../../sessions/form-fields.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { CurrentPerson, type PersonVisit } from '../../sessions/visit.js';
import { WantedAccount } from '../../sessions/wanted-account.js';
import { WithheldAccountError, WithoutAccount } from '../../sessions/without-account.js';
import { SeeOther } from '../../view/page.js';
import { readId } from '../read-id.js';

/** What every page of members offers: another account, and the way out. */
@MemberPages(pagesPrefix)
@WithoutAccount()
export class SessionController {
  constructor(
    private readonly services: ServiceClient,
    private readonly sessions: MemberSessions,
    private readonly wanted: WantedAccount,
  ) {}

  @Post('sign-out')
  async signOut(
    @CurrentPerson() visit: PersonVisit,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SeeOther> {
    await this.services.request(endSession, { session_hash: sha256(visit.token) }, visit.context());
    this.sessions.end(reply);
    return new SeeOther(withQuery(pagePaths.signIn, { done: 'signed-out' }));
  }

  @Post('switch')
  async switchAccount(
    @CurrentPerson() visit: PersonVisit,
    @Form() form: FormFields,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SeeOther> {
    const request = { session_hash: sha256(visit.token), account_id: readId(form.text('account_id')) };
    const account = visit.session.accounts.find(({ id }) => id === request.account_id);
    if (account?.asks) {
      this.wanted.remember(reply, account.id);
      throw new WithheldAccountError({ ...account, asks: account.asks }, visit.session, pagePaths.overview);
    }
    await this.services.request(switchAccount, request, visit.context());
    return new SeeOther(pagePaths.overview);
  }
}
