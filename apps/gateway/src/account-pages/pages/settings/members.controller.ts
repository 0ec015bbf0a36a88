import { changeMember, ChangeMemberRequest, inviteMember, removeMember, revokeInvitation } from '#contracts';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages, PostForm } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { done } from '../../view/forms.js';
import { type FormResult, type PageView } from '../../view/page.js';
import { findSettings } from './settings-view.js';
import { settingsPage } from './settings.page.js';

const roleProblem = { role: 'Choose owner or member.' };

/** Owners decide who may sign in to their account, on the page of settings. */
@MemberPages(`${pagePaths.settings}/members`)
export class MembersController {
  constructor(private readonly account: AccountData) {}

  async settings(member: MemberRequest): Promise<PageView> {
    return settingsPage(await findSettings(this.account, member));
  }

  @PostForm('', { page: 'settings', otherwise: 'email' })
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

  @PostForm('invitations/:id/revoke', { page: 'settings' })
  async revoke(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    await this.account.ask(member, revokeInvitation, { invitation_id: member.id('id') });
    return done(pagePaths.settings, 'revoked');
  }

  @PostForm(':person_id/role', { page: 'settings' })
  async changeRole(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const role = member.fields.read(ChangeMemberRequest, roleProblem);
    await this.account.ask(member, changeMember, { person_id: member.id('person_id'), ...role });
    return done(pagePaths.settings, 'role');
  }

  @PostForm(':person_id/remove', { page: 'settings' })
  async remove(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    member.assertOwner();
    const removal = {
      person_id: member.id('person_id'),
      delete_keys: member.fields.isTicked('delete_keys'),
    };
    await this.account.ask(member, removeMember, removal);
    return done(pagePaths.settings, 'removed');
  }
}
