import { accountNameLengthMax, leaveAccount, renameAccount } from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Get, Post } from '@nestjs/common';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields } from '../../sessions/form-fields.js';
import { assertOwner } from '../../sessions/owner-only.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { refuse } from '../../view/form-refusal.js';
import { type PageView, type SeeOther } from '../../view/page.js';
import { readId } from '../read-id.js';
import { leaveAccountPage } from './leave-account.js';
import { SettingsView } from './settings-view.service.js';

/** The account itself: its name, and that a member leaves it. */
@MemberPages(pagePaths.settings)
export class AccountController {
  constructor(
    private readonly services: ServiceClient,
    private readonly view: SettingsView,
  ) {}

  @Post('account')
  async rename(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const name = form.text('name');
    if (name === '' || [...name].length > accountNameLengthMax) {
      const problem = `Enter a name of 1 to ${accountNameLengthMax} characters.`;
      return refuse(await this.view.page(visit), { form, problems: { name: problem } });
    }
    const request = { account_id: visit.accountId, name };
    return this.view.change(visit, { form, done: 'renamed', fields: ['name'] }, () =>
      this.services.request(renameAccount, request, visit.context()),
    );
  }

  @Get('leave')
  askToLeave(@CurrentVisit() visit: Visit): PageView {
    return leaveAccountPage(visit.session.account);
  }

  /** Of the account that the question named, whatever another tab shows meanwhile. */
  @Post('leave')
  leave(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<PageView | SeeOther> {
    const request = { session_hash: sha256(visit.token), account_id: readId(form.text('account_id')) };
    const show = () => leaveAccountPage(visit.session.account);
    return this.view.change(visit, { form, done: 'left', next: pagePaths.accounts, show }, () =>
      this.services.request(leaveAccount, request, visit.context()),
    );
  }
}
