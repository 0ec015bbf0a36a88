import { changeSignInRules, sessionHoursMax } from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Post } from '@nestjs/common';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields } from '../../sessions/form-fields.js';
import { assertOwner } from '../../sessions/owner-only.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { refuse } from '../../view/form-refusal.js';
import { type PageView, type SeeOther } from '../../view/page.js';
import { SettingsView } from './settings-view.service.js';
import { offersProviderOnly } from './sign-in-rules.js';

/** Owners decide how members sign in to their account. */
@MemberPages(`${pagePaths.settings}/sign-in`)
export class SignInRulesController {
  constructor(
    private readonly services: ServiceClient,
    private readonly view: SettingsView,
  ) {}

  @Post()
  async save(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const hours = form.text('session_hours') || '0';
    if (!/^[0-9]{1,3}$/.test(hours) || Number(hours) > sessionHoursMax) {
      const problems = { session_hours: `Enter a whole number from 1 to ${sessionHoursMax}, or nothing.` };
      return refuse(await this.view.page(visit), { form, problems });
    }
    const request = {
      session_hash: sha256(visit.token),
      account_id: visit.accountId,
      session_hours: Number(hours),
      ...(form.isTicked(offersProviderOnly) ? { provider_only: form.isTicked('provider_only') } : {}),
    };
    return this.view.change(visit, { form, done: 'sign-in', fields: ['session_hours'] }, () =>
      this.services.request(changeSignInRules, request, visit.context()),
    );
  }
}
