import { endSession } from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Get, Post } from '@nestjs/common';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields, Parameters } from '../../sessions/form-fields.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { readId } from '../read-id.js';
import { SettingsView } from './settings-view.service.js';

const doneByCode: Readonly<Record<string, string>> = {
  invited: 'The invitation is on its way by email. It is valid for 14 days.',
  'invited-unmailed':
    'The invitation is open for 14 days. No email is sent here: ask the operator for a sign-in link for this address.',
  revoked: 'The invitation is revoked.',
  renamed: 'The account has its new name.',
  role: 'The role is changed.',
  removed: 'The member is removed, and signed out of this account.',
  notices: 'The notices are saved.',
  'sign-in': 'The sign-in settings are saved.',
  tested: 'The test is on its way. It is in the list of notices in a moment.',
  ended: 'The other session is signed out.',
};

/** `/account/settings`: all settings on one page, and the sessions of the person. */
@MemberPages(pagePaths.settings)
export class SettingsController {
  constructor(
    private readonly services: ServiceClient,
    private readonly view: SettingsView,
  ) {}

  @Get()
  show(@CurrentVisit() visit: Visit, @Parameters() parameters: FormFields): Promise<PageView> {
    const done = doneByCode[parameters.text('done')];
    return this.view.page(visit, done === undefined ? {} : { done });
  }

  @Post('sessions/end')
  async endSession(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<SeeOther> {
    const request = { session_hash: sha256(visit.token), session_id: readId(form.text('session_id')) };
    await this.services.request(endSession, request, visit.context());
    return new SeeOther(withQuery(pagePaths.settings, { done: 'ended' }));
  }
}
