import { changeSignInRules, sessionHoursMax } from '@app/contracts';
import { Post } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { fieldProblem, Form, type FormFields } from '../../view/forms.js';
import { type FormResult } from '../../view/page.js';
import { SettingsView } from './settings-view.service.js';
import { offersProviderOnly } from './sign-in-rules.js';

/** Owners decide how members sign in to their account. */
@MemberPages(`${pagePaths.settings}/sign-in`)
export class SignInRulesController {
  constructor(
    private readonly account: AccountData,
    private readonly view: SettingsView,
  ) {}

  @Post()
  save(@CurrentMember() member: MemberRequest, @Form() form: FormFields): Promise<FormResult> {
    member.assertOwner();
    return this.view.change(member, { form, done: 'sign-in', fields: ['session_hours'] }, () => {
      const hours = form.text('session_hours') || '0';
      if (!/^[0-9]{1,3}$/.test(hours) || Number(hours) > sessionHoursMax) {
        throw fieldProblem('session_hours', `Enter a whole number from 1 to ${sessionHoursMax}, or nothing.`);
      }
      const provider = form.isTicked(offersProviderOnly)
        ? { provider_only: form.isTicked('provider_only') }
        : {};
      const request = { session_hash: member.sessionHash, session_hours: Number(hours), ...provider };
      return this.account.ask(member, changeSignInRules, request);
    });
  }
}
