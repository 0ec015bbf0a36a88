import {
  changeMember,
  emailProblem,
  inviteMember,
  listMembers,
  type MemberRole,
  memberRoles,
  removeMember,
  revokeInvitation,
  ServiceError,
} from '@app/contracts';
import { Get, Param, Post } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { donePath, fieldProblem, Form, type FormFields, readId, submit } from '../../view/forms.js';
import { type FormResult, type PageView } from '../../view/page.js';
import { removeMemberPage } from './members.js';
import { SettingsView } from './settings-view.service.js';

/** Owners decide who may sign in to their account. */
@MemberPages(`${pagePaths.settings}/members`)
export class MembersController {
  constructor(
    private readonly account: AccountData,
    private readonly view: SettingsView,
  ) {}

  @Post()
  async invite(@CurrentMember() member: MemberRequest, @Form() form: FormFields): Promise<FormResult> {
    member.assertOwner();
    const page = (): Promise<PageView> => this.view.page(member);
    return submit({ form, page, otherwise: 'email' }, async () => {
      const email = form.text('email');
      const problem = emailProblem(email);
      if (problem !== null) throw fieldProblem('email', problem);
      const { is_mailed } = await this.account.ask(member, inviteMember, {
        email,
        role: readRole(form),
        invitation_id: readId(form.text('invitation_id')),
        person_id: member.session.person_id,
      });
      return donePath(pagePaths.settings, is_mailed ? 'invited' : 'invited-unmailed');
    });
  }

  @Post('invitations/:id/revoke')
  async revoke(
    @CurrentMember() member: MemberRequest,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<FormResult> {
    member.assertOwner();
    const invitation_id = readId(id);
    return this.view.change(member, { form, done: 'revoked' }, () =>
      this.account.ask(member, revokeInvitation, { invitation_id }),
    );
  }

  @Post(':person_id/role')
  async changeRole(
    @CurrentMember() member: MemberRequest,
    @Param('person_id') personId: string,
    @Form() form: FormFields,
  ): Promise<FormResult> {
    member.assertOwner();
    const change = { person_id: readId(personId), role: readRole(form) };
    return this.view.change(member, { form, done: 'role' }, () =>
      this.account.ask(member, changeMember, change),
    );
  }

  @Get(':person_id/remove')
  async askToRemove(
    @CurrentMember() member: MemberRequest,
    @Param('person_id') personId: string,
  ): Promise<PageView> {
    member.assertOwner();
    return this.removalPage(member, personId);
  }

  @Post(':person_id/remove')
  async remove(
    @CurrentMember() member: MemberRequest,
    @Param('person_id') personId: string,
    @Form() form: FormFields,
  ): Promise<FormResult> {
    member.assertOwner();
    const removal = { person_id: readId(personId), delete_keys: form.isTicked('delete_keys') };
    const page = (): Promise<PageView> => this.removalPage(member, personId);
    return this.view.change(member, { form, done: 'removed', page }, () =>
      this.account.ask(member, removeMember, removal),
    );
  }

  private async removalPage(member: MemberRequest, personId: string): Promise<PageView> {
    const { members } = await this.account.ask(member, listMembers, {});
    const removed = members.find(({ person_id }) => person_id === personId);
    if (!removed) throw new ServiceError('not_found', 'This member does not exist.');
    return removeMemberPage(removed);
  }
}

function readRole(form: FormFields): MemberRole {
  const role = form.choice('role', memberRoles);
  if (role) return role;
  throw new ServiceError('invalid_request', 'Choose owner or member.');
}
