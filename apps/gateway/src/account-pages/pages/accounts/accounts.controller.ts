import {
  answerInvitation,
  endSession,
  joinAccount,
  listInvitations,
  openAccount,
  switchAccount,
} from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Get, Param, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { pagePaths, pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentPerson, type PersonRequest } from '../../sessions/member-request.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { WithheldAccountError, WithoutAccount } from '../../sessions/session.guard.js';
import { donePath, doneText, Form, type FormFields, Parameters, readId, submit } from '../../view/forms.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { accountsPage } from './accounts.page.js';

const doneTexts: Readonly<Record<string, string>> = {
  declined: 'Invitation declined.',
  left: 'You have left the account.',
};

/** What people decide about their own memberships and session, with an account or without. */
@MemberPages(pagesPrefix)
@WithoutAccount(true)
export class AccountsController {
  constructor(
    private readonly services: ServiceClient,
    private readonly sessions: MemberSessions,
  ) {}

  @Get('accounts')
  show(@CurrentPerson() person: PersonRequest, @Parameters() parameters: FormFields): Promise<PageView> {
    return this.page(person, doneText(parameters, doneTexts));
  }

  @Post('accounts')
  open(@CurrentPerson() person: PersonRequest, @Form() form: FormFields): Promise<FormResult> {
    const request = { session_hash: person.sessionHash, account_id: uuidv7() };
    return this.change(person, form, pagePaths.overview, () =>
      this.services.request(openAccount, request, person.context()),
    );
  }

  @Post('accounts/invitations/:id/accept')
  async accept(
    @CurrentPerson() person: PersonRequest,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<FormResult> {
    const request = { session_hash: person.sessionHash, invitation_id: readId(id), is_accepted: true };
    return this.change(person, form, pagePaths.overview, () =>
      this.services.request(answerInvitation, request, person.context()),
    );
  }

  @Post('accounts/invitations/:id/decline')
  async decline(
    @CurrentPerson() person: PersonRequest,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<FormResult> {
    const request = { session_hash: person.sessionHash, invitation_id: readId(id), is_accepted: false };
    return this.change(person, form, donePath(pagePaths.accounts, 'declined'), () =>
      this.services.request(answerInvitation, request, person.context()),
    );
  }

  @Post('accounts/:id/join')
  async join(
    @CurrentPerson() person: PersonRequest,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<FormResult> {
    const request = { session_hash: person.sessionHash, account_id: readId(id) };
    return this.change(person, form, pagePaths.overview, () =>
      this.services.request(joinAccount, request, person.context()),
    );
  }

  @Post('switch')
  async switchAccount(
    @CurrentPerson() person: PersonRequest,
    @Form() form: FormFields,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SeeOther> {
    const { session, sessionHash } = person;
    const account_id = readId(form.text('account_id'));
    const account = session.accounts.find(({ id }) => id === account_id);
    if (account?.asks) {
      this.sessions.rememberWanted(reply, account.id);
      throw new WithheldAccountError({ ...account, asks: account.asks }, session, pagePaths.overview);
    }
    await this.services.request(switchAccount, { session_hash: sessionHash, account_id }, person.context());
    return new SeeOther(pagePaths.overview);
  }

  @Post('sign-out')
  async signOut(
    @CurrentPerson() person: PersonRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SeeOther> {
    await this.services.request(endSession, { session_hash: person.sessionHash }, person.context());
    this.sessions.end(reply);
    return new SeeOther(donePath(pagePaths.signIn, 'signed-out'));
  }

  /** The page also shows when an invitation was revoked meanwhile, the account is full, or the sign-in is too old. */
  private change(
    person: PersonRequest,
    form: FormFields,
    next: string,
    ask: () => Promise<unknown>,
  ): Promise<FormResult> {
    const page = (): Promise<PageView> => this.page(person);
    return submit({ form, page, codes: ['not_found', 'forbidden'] }, async () => {
      await ask();
      return next;
    });
  }

  private async page(person: PersonRequest, done?: string): Promise<PageView> {
    const request = { session_hash: person.sessionHash };
    const own = await this.services.request(listInvitations, request, person.context());
    return accountsPage({ ...own, session: person.session, done });
  }
}
