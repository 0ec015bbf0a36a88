import { changeNotices, int4Max, testNotice } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Post } from '@nestjs/common';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields } from '../../sessions/form-fields.js';
import { assertOwner } from '../../sessions/owner-only.js';
import { CurrentVisit, type Visit } from '../../sessions/visit.js';
import { formatNumber } from '../../view/format.js';
import { refuse } from '../../view/form-refusal.js';
import { type PageView, type SeeOther } from '../../view/page.js';
import { readId } from '../read-id.js';
import { SettingsView } from './settings-view.service.js';

/** Owners decide what they are told of, and where. */
@MemberPages(`${pagePaths.settings}/notices`)
export class NoticesController {
  constructor(
    private readonly services: ServiceClient,
    private readonly view: SettingsView,
  ) {}

  @Post()
  async save(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const threshold = form.text('balance_threshold') || '0';
    if (!/^[0-9]{1,10}$/.test(threshold) || Number(threshold) > int4Max) {
      const problems = { balance_threshold: `Enter a whole number from 0 to ${formatNumber(int4Max)}.` };
      return refuse(await this.view.page(visit), { form, problems });
    }
    const request = {
      account_id: visit.accountId,
      balance_threshold: Number(threshold),
      is_expiry_told: form.isTicked('is_expiry_told'),
      is_payment_told: form.isTicked('is_payment_told'),
      is_mailed: form.isTicked('is_mailed'),
      webhook_url: form.text('webhook_url'),
    };
    const change = { form, done: 'notices', fields: ['balance_threshold', 'webhook_url'] };
    return this.view.change(visit, change, () =>
      this.services.request(changeNotices, request, visit.context()),
    );
  }

  @Post('test')
  test(@CurrentVisit() visit: Visit, @Form() form: FormFields): Promise<PageView | SeeOther> {
    assertOwner(visit);
    const request = { account_id: visit.accountId, notice_id: readId(form.text('notice_id')) };
    return this.view.change(visit, { form, done: 'tested' }, () =>
      this.services.request(testNotice, request, visit.context()),
    );
  }
}
