import { closeAccount, CloseAccountRequest, getAccount, listMembers } from '#contracts';
import { Get } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages, PostForm } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { done } from '../../view/forms.js';
import { type FormResult, type PageView } from '../../view/page.js';
import { closePage } from './close.page.js';

/** `/account/settings/close`: what closing the account ends, and the form that does it. */
@MemberPages(`${pagePaths.settings}/close`)
export class CloseController {
  constructor(
    private readonly account: AccountData,
    private readonly sessions: MemberSessions,
  ) {}

  @Get()
  async show(@CurrentMember() member: MemberRequest): Promise<PageView> {
    member.assertOwner();
    const [account, { members, invitations }, keys] = await Promise.all([
      this.account.ask(member, getAccount, {}),
      this.account.ask(member, listMembers, {}),
      this.account.keys(member),
    ]);
    const people = { members: members.length, invitations: invitations.length };
    return closePage({ account, ...people, keys: keys.length });
  }

  /** Closes the account that the form named, whatever another tab shows meanwhile. */
  @PostForm('', { page: 'show', fields: ['name'] })
  async close(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const { fields } = member;
    const name = fields.read(CloseAccountRequest, { name: 'Enter the name of the account.' });
    await this.account.askAs(member, closeAccount, { account_id: fields.id('account_id'), ...name });
    this.sessions.end(member.reply);
    return done(pagePaths.signIn, 'closed');
  }
}
