import {
  accountNameLengthMax,
  changeMember,
  ChangeMemberRequest,
  changeNotices,
  ChangeNoticesRequest,
  closeAccount,
  CloseAccountRequest,
  endSession,
  getAccount,
  int4Max,
  inviteMember,
  leaveAccount,
  listMembers,
  removeMember,
  renameAccount,
  RenameAccountRequest,
  revokeInvitation,
  testNotice,
} from '#contracts';
import { Get, Post } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages, PostForm } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { formatNumber } from '../../view/format.js';
import { done } from '../../view/forms.js';
import { type FormResult, type PageView } from '../../view/page.js';
import { MemberSessions } from '../../sessions/member-sessions.js';
import { closePage } from './close.page.js';
import { findSettings } from './settings-view.js';
import { settingsPage } from './settings.page.js';

const roleProblem = { role: 'Choose owner or member.' };

/** `/account/settings`: the account, its members and notifications, and the sessions of a person, on one page. */
@MemberPages(pagePaths.settings)
export class SettingsController {
  constructor(
    private readonly account: AccountData,
    private readonly memberSessions: MemberSessions,
  ) {}

  @Get()
  async show(@CurrentMember() member: MemberRequest): Promise<PageView> {
    return settingsPage(await findSettings(this.account, member));
  }

  @PostForm('account', { page: 'show', fields: ['name'] })
  async rename(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const name = `Enter a name of 1 to ${accountNameLengthMax} characters.`;
    await this.account.ask(member, renameAccount, member.fields.read(RenameAccountRequest, { name }));
    return done(pagePaths.settings, 'renamed');
  }

  @PostForm('notices', { page: 'show', fields: ['balance_threshold', 'webhook_url'] })
  async changeNotices(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const { fields } = member;
    await this.account.ask(member, changeNotices, {
      ...fields.read(ChangeNoticesRequest, {
        balance_threshold: `Enter a whole number from 0 to ${formatNumber(int4Max)}.`,
        webhook_url: 'Enter a shorter address.',
      }),
      notify_on_expiry: fields.isTicked('notify_on_expiry'),
      notify_on_payment: fields.isTicked('notify_on_payment'),
      notify_by_email: fields.isTicked('notify_by_email'),
    });
    return done(pagePaths.settings, 'notices');
  }

  @PostForm('notices/test', { page: 'show' })
  async sendTest(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    await this.account.ask(member, testNotice, { notice_id: member.fields.id('notice_id') });
    return done(pagePaths.settings, 'tested');
  }

  @PostForm('notices/rotate', { page: 'show' })
  async rotateSecret(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    await this.account.ask(member, changeNotices, { rotate_webhook_secret: true });
    return done(pagePaths.settings, 'rotated');
  }

  @Post('sessions/end')
  async endSession(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    await this.account.askAs(member, endSession, { session_id: member.fields.id('session_id') });
    return done(pagePaths.settings, 'session-ended');
  }

  @PostForm('members', { page: 'show', otherwise: 'email' })
  async invite(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const { fields, session } = member;
    const { is_mailed } = await this.account.ask(member, inviteMember, {
      email: fields.email(),
      ...fields.read(ChangeMemberRequest, roleProblem),
      invitation_id: fields.id('invitation_id'),
      person_id: session.person_id,
    });
    return done(pagePaths.settings, is_mailed ? 'invited' : 'invited-unmailed');
  }

  @PostForm('members/invitations/:id/revoke', { page: 'show' })
  async revoke(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    await this.account.ask(member, revokeInvitation, { invitation_id: member.id('id') });
    return done(pagePaths.settings, 'revoked');
  }

  @PostForm('members/:person_id/role', { page: 'show' })
  async changeRole(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const role = member.fields.read(ChangeMemberRequest, roleProblem);
    await this.account.ask(member, changeMember, { person_id: member.id('person_id'), ...role });
    return done(pagePaths.settings, 'role');
  }

  @PostForm('members/:person_id/remove', { page: 'show' })
  async removeMember(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const removal = {
      person_id: member.id('person_id'),
      delete_keys: member.fields.isTicked('delete_keys'),
    };
    await this.account.ask(member, removeMember, removal);
    return done(pagePaths.settings, 'removed');
  }

  /** Leaves the account that the form named, whatever another tab shows meanwhile. */
  @PostForm('leave', { page: 'show' })
  async leave(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    await this.account.askAs(member, leaveAccount, { account_id: member.fields.id('account_id') });
    return done(pagePaths.accounts, 'left');
  }

  @Get('close')
  async showClose(@CurrentMember() member: MemberRequest): Promise<PageView> {
    member.assertOwner();
    const [account, people, keys] = await Promise.all([
      this.account.ask(member, getAccount, {}),
      this.account.ask(member, listMembers, {}),
      this.account.keys(member),
    ]);
    return closePage(account, people, keys);
  }

  /** Closes the account that the form named, whatever another tab shows meanwhile. */
  @PostForm('close', { page: 'showClose', fields: ['name'] })
  async close(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const { fields } = member;
    const name = fields.read(CloseAccountRequest, { name: 'Enter the name of the account.' });
    await this.account.askAs(member, closeAccount, { account_id: fields.id('account_id'), ...name });
    this.memberSessions.end(member.reply);
    return done(pagePaths.signIn, 'closed');
  }
}
