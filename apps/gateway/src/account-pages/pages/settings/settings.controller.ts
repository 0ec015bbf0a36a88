import { accountNameLengthMax, endSession, leaveAccount, renameAccount } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Get, Post } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import {
  donePath,
  doneText,
  fieldProblem,
  Form,
  type FormFields,
  Parameters,
  readId,
  submit,
} from '../../view/forms.js';
import { type FormResult, type PageView, SeeOther } from '../../view/page.js';
import { leaveAccountPage } from './members.js';
import { SettingsView } from './settings-view.service.js';

const doneTexts: Readonly<Record<string, string>> = {
  invited: 'Invitation sent by email. It is valid for 14 days.',
  'invited-unmailed':
    'Invitation created. It is valid for 14 days. This service sends no email: ask its operator for a sign-in link for this address.',
  revoked: 'Invitation revoked.',
  renamed: 'Account renamed.',
  role: 'Role changed.',
  removed: 'Member removed and signed out of this account.',
  notices: 'Notification settings saved.',
  'sign-in': 'Sign-in settings saved.',
  tested: 'Test sent. It appears in the list of notifications in a moment.',
  ended: 'The other session is signed out.',
};

/** `/account/settings`: all settings on one page, the account's name, leaving it, and the sessions of the person. */
@MemberPages(pagePaths.settings)
export class SettingsController {
  constructor(
    private readonly account: AccountData,
    private readonly services: ServiceClient,
    private readonly view: SettingsView,
  ) {}

  @Get()
  show(@CurrentMember() member: MemberRequest, @Parameters() parameters: FormFields): Promise<PageView> {
    return this.view.page(member, doneText(parameters, doneTexts));
  }

  @Post('sessions/end')
  async endSession(@CurrentMember() member: MemberRequest, @Form() form: FormFields): Promise<SeeOther> {
    const request = { session_hash: member.sessionHash, session_id: readId(form.text('session_id')) };
    await this.services.request(endSession, request, member.context());
    return new SeeOther(donePath(pagePaths.settings, 'ended'));
  }

  @Post('account')
  rename(@CurrentMember() member: MemberRequest, @Form() form: FormFields): Promise<FormResult> {
    member.assertOwner();
    return this.view.change(member, { form, done: 'renamed', fields: ['name'] }, () => {
      const name = form.text('name');
      if (name === '' || [...name].length > accountNameLengthMax) {
        throw fieldProblem('name', `Enter a name of 1 to ${accountNameLengthMax} characters.`);
      }
      return this.account.ask(member, renameAccount, { name });
    });
  }

  @Get('leave')
  askToLeave(@CurrentMember() { session }: MemberRequest): PageView {
    return leaveAccountPage(session.account);
  }

  /** Leaves the account that the question named, whatever another tab shows meanwhile. */
  @Post('leave')
  async leave(@CurrentMember() member: MemberRequest, @Form() form: FormFields): Promise<FormResult> {
    const request = { session_hash: member.sessionHash, account_id: readId(form.text('account_id')) };
    return submit({ form, page: () => leaveAccountPage(member.session.account) }, async () => {
      await this.services.request(leaveAccount, request, member.context());
      return donePath(pagePaths.accounts, 'left');
    });
  }
}
