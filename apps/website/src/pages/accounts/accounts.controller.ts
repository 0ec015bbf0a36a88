import { answerInvitation, endSession, listInvitations, openAccount, switchAccount } from '#contracts';
import { Get, Post } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AccountData } from '../../data/account-data.js';
import { pagePaths, pagesPrefix } from '../../paths/page-paths.js';
import { MemberPages, PostForm } from '../../rendering/pages.decorator.js';
import { CurrentPerson, type PersonRequest } from '../../sessions/member-request.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { WithoutAccount } from '../../sessions/session.guard.js';
import { done } from '../../view/forms.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { accountsPage } from './accounts.page.js';

/** The page also shows that an invitation was revoked meanwhile or the account is full. */
const shownOnPage = { page: 'show', codes: ['not_found', 'forbidden'] } as const;

/** Memberships and the session of a person, with an account or without. */
@MemberPages(pagesPrefix)
@WithoutAccount(true)
export class AccountsController {
  constructor(
    private readonly account: AccountData,
    private readonly sessions: MemberSessions,
  ) {}

  @Get('accounts')
  async show(@CurrentPerson() person: PersonRequest): Promise<PageView> {
    return accountsPage(person.session, await this.account.askAs(person, listInvitations, {}));
  }

  @PostForm('accounts', shownOnPage)
  async open(@CurrentPerson() person: PersonRequest): Promise<FormResult> {
    await this.account.askAs(person, openAccount, { account_id: uuidv7() });
    return new SeeOther(pagePaths.overview);
  }

  @PostForm('accounts/invitations/:id/accept', shownOnPage)
  async accept(@CurrentPerson() person: PersonRequest): Promise<FormResult> {
    const answer = { invitation_id: person.id('id'), is_accepted: true };
    await this.account.askAs(person, answerInvitation, answer);
    return new SeeOther(pagePaths.overview);
  }

  @PostForm('accounts/invitations/:id/decline', shownOnPage)
  async decline(@CurrentPerson() person: PersonRequest): Promise<FormResult> {
    const answer = { invitation_id: person.id('id'), is_accepted: false };
    await this.account.askAs(person, answerInvitation, answer);
    return done(pagePaths.accounts, 'declined');
  }

  @Post('switch')
  async switchAccount(@CurrentPerson() person: PersonRequest): Promise<SeeOther> {
    await this.account.askAs(person, switchAccount, { account_id: person.fields.id('account_id') });
    return new SeeOther(pagePaths.overview);
  }

  @Post('sign-out')
  async signOut(@CurrentPerson() person: PersonRequest): Promise<SeeOther> {
    await this.account.askAs(person, endSession, {});
    this.sessions.end(person.reply);
    return done(pagePaths.signIn, 'signed-out');
  }
}
