import {
  addMember,
  changeMember,
  emailPattern,
  type MemberRole,
  memberRoles,
  removeMember,
  ServiceError,
} from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Get, Param, Post } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields } from '../../sessions/form-fields.js';
import { assertOwner } from '../../sessions/owner-only.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { type PageView, type SeeOther } from '../../view/page.js';
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
  async add(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const email = form.text('email');
    if (!emailPattern.test(email)) {
      return this.view.page(visit, { problem: 'Nobody was added: that is no e-mail address.', status: 400 });
    }
    const member = { email, role: readRole(form), person_id: uuidv7() };
    const request = { account_id: visit.accountId, ...member };
    return this.view.change(visit, 'added', () => this.services.request(addMember, request, visit.context()));
  }

  @Post(':person_id/role')
  changeRole(
    @CurrentVisit() visit: Visit,
    @Param('person_id') personId: string,
    @Form() form: FormFields,
  ): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const request = { account_id: visit.accountId, person_id: readId(personId), role: readRole(form) };
    return this.view.change(visit, 'role', () =>
      this.services.request(changeMember, request, visit.context()),
    );
  }

  @Get(':person_id/remove')
  async askToRemove(@CurrentVisit() visit: Visit, @Param('person_id') personId: string): Promise<PageView> {
    assertOwner(visit);
    const members = await this.view.members(visit);
    const member = members.find(({ person_id }) => person_id === personId);
    if (!member) throw new ServiceError('not_found', 'There is no such member.');
    return removeMemberPage(member);
  }

  @Post(':person_id/remove')
  remove(@CurrentVisit() visit: Visit, @Param('person_id') personId: string): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const request = { account_id: visit.accountId, person_id: readId(personId) };
    return this.view.change(visit, 'removed', () =>
      this.services.request(removeMember, request, visit.context()),
    );
  }
}

function readRole(form: FormFields): MemberRole {
  const role = memberRoles.find((name) => name === form.text('role'));
  if (role) return role;
  throw new ServiceError('invalid_request', 'There is no such role.');
}
