import { changeNotices, int4Max, testNotice } from '@app/contracts';
import { Post } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { formatNumber } from '../../view/format.js';
import { fieldProblem, Form, type FormFields, readId } from '../../view/forms.js';
import { type FormResult } from '../../view/page.js';
import { SettingsView } from './settings-view.service.js';

/** Owners decide when and where the account is notified. */
@MemberPages(`${pagePaths.settings}/notices`)
export class NoticesController {
  constructor(
    private readonly account: AccountData,
    private readonly view: SettingsView,
  ) {}

  @Post()
  save(@CurrentMember() member: MemberRequest, @Form() form: FormFields): Promise<FormResult> {
    member.assertOwner();
    const change = { form, done: 'notices', fields: ['balance_threshold', 'webhook_url'] };
    return this.view.change(member, change, () => {
      const threshold = form.text('balance_threshold') || '0';
      if (!/^[0-9]{1,10}$/.test(threshold) || Number(threshold) > int4Max) {
        throw fieldProblem('balance_threshold', `Enter a whole number from 0 to ${formatNumber(int4Max)}.`);
      }
      return this.account.ask(member, changeNotices, {
        balance_threshold: Number(threshold),
        notify_on_expiry: form.isTicked('is_expiry_told'),
        notify_on_payment: form.isTicked('is_payment_told'),
        notify_by_email: form.isTicked('is_mailed'),
        webhook_url: form.text('webhook_url'),
      });
    });
  }

  @Post('test')
  test(@CurrentMember() member: MemberRequest, @Form() form: FormFields): Promise<FormResult> {
    member.assertOwner();
    const notice_id = readId(form.text('notice_id'));
    return this.view.change(member, { form, done: 'tested' }, () =>
      this.account.ask(member, testNotice, { notice_id }),
    );
  }
}
