import {
  changeMember,
  emailProblem,
  inviteMember,
  type MemberRole,
  memberRoles,
  removeMember,
  revokeInvitation,
  ServiceError,
} from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Get, Param, Post } from '@nestjs/common';
import { httpErrorByCode } from '../../../errors/status-by-code.js';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields } from '../../sessions/form-fields.js';
import { assertOwner } from '../../sessions/owner-only.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { isAboutForm, refuse } from '../../view/form-refusal.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { readId } from '../read-id.js';
import { removeMemberPage } from './members.js';
import { SettingsView } from './settings-view.service.js';

/** Owners decide who may sign in to their account. */
@MemberPages(`${pagePaths.settings}/members`)
export class MembersController {
  constructor(
    private readonly services: ServiceClient,
    private readonly view: SettingsView,
  ) {}

  @Post()
  async invite(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const email = form.text('email');
    const problem = emailProblem(email);
    if (problem !== null) return refuse(await this.view.page(visit), { form, problems: { email: problem } });
    const request = {
      email,
      role: readRole(form),
      account_id: visit.accountId,
      invitation_id: readId(form.text('invitation_id')),
      person_id: visit.session.person_id,
    };
    try {
      const { is_mailed } = await this.services.request(inviteMember, request, visit.context());
      const done = is_mailed ? 'invited' : 'invited-unmailed';
      return new SeeOther(withQuery(pagePaths.settings, { done }));
    } catch (error) {
      if (!isAboutForm(error)) throw error;
      return refuse(
        await this.view.page(visit),
        { form, problems: { email: error.message } },
        httpErrorByCode[error.code].status,
      );
    }
  }

  @Post('invitations/:id/revoke')
  revoke(
    @CurrentVisit() visit: Visit,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const request = { account_id: visit.accountId, invitation_id: readId(id) };
    return this.view.change(visit, { form, done: 'revoked' }, () =>
      this.services.request(revokeInvitation, request, visit.context()),
    );
  }

  @Post(':person_id/role')
  changeRole(
    @CurrentVisit() visit: Visit,
    @Param('person_id') personId: string,
    @Form() form: FormFields,
  ): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const request = { account_id: visit.accountId, person_id: readId(personId), role: readRole(form) };
    return this.view.change(visit, { form, done: 'role' }, () =>
      this.services.request(changeMember, request, visit.context()),
    );
  }

  @Get(':person_id/remove')
  async askToRemove(@CurrentVisit() visit: Visit, @Param('person_id') personId: string): Promise<PageView> {
    assertOwner(visit);
    return this.removalPage(visit, personId);
  }

  @Post(':person_id/remove')
  remove(
    @CurrentVisit() visit: Visit,
    @Param('person_id') personId: string,
    @Form() form: FormFields,
  ): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const member = { account_id: visit.accountId, person_id: readId(personId) };
    const request = { ...member, delete_keys: form.isTicked('delete_keys') };
    const show = () => this.removalPage(visit, personId);
    return this.view.change(visit, { form, done: 'removed', show }, () =>
      this.services.request(removeMember, request, visit.context()),
    );
  }

  private async removalPage(visit: Visit, personId: string): Promise<PageView> {
    const { members } = await this.view.members(visit);
    const member = members.find(({ person_id }) => person_id === personId);
    if (!member) throw new ServiceError('not_found', 'There is no such member.');
    return removeMemberPage(member);
  }
}

function readRole(form: FormFields): MemberRole {
  const role = memberRoles.find((name) => name === form.text('role'));
  if (role) return role;
  throw new ServiceError('invalid_request', 'There is no such role.');
}
