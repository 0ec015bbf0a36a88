import { confirmEmailChange, requestEmailChange } from '#contracts';
import { Get } from '@nestjs/common';
import { AccountData } from '../../data/account-data.js';
import { NetworkLimits } from '../../network-limits.js';
import { pagePaths } from '../../paths/page-paths.js';
import { MemberPages, PostForm } from '../../rendering/pages.decorator.js';
import { CurrentMember, type MemberRequest } from '../../sessions/member-request.js';
import { fieldProblem } from '../../view/form-fields.js';
import { done } from '../../view/forms.js';
import { type FormResult, type PageView } from '../../view/page.js';
import { emailCodePage, emailPage } from './email.page.js';

const wrongCode = 'That code is wrong or has expired. After five attempts, request a new one.';

/** `/account/settings/email`: another address for the person who is signed in, confirmed by a code that is sent to it. */
@MemberPages(`${pagePaths.settings}/email`)
export class EmailController {
  constructor(
    private readonly account: AccountData,
    private readonly limits: NetworkLimits,
  ) {}

  @Get()
  show(@CurrentMember() { session }: MemberRequest): PageView {
    return emailPage(session.email);
  }

  /** The next page is the same for every address, known or not. */
  @PostForm('', { page: 'show', otherwise: 'email', codes: ['unavailable'] })
  async sendCode(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const { fields, request } = member;
    await this.limits.admit('signInMails', request.ip);
    const change = { email: fields.email(), change_id: fields.id('change_id') };
    await this.account.askAs(member, requestEmailChange, change);
    return this.codeForm(member);
  }

  codeForm({ fields }: MemberRequest): PageView {
    return emailCodePage(fields.text('email'));
  }

  @PostForm('code', { page: 'codeForm', otherwise: 'code' })
  async takeCode(@CurrentMember() member: MemberRequest): Promise<FormResult> {
    const { ip } = member.request;
    await this.limits.admit('signInCodes', ip);
    const code = member.fields.text('code').replace(/\s/g, '');
    if (!/^[0-9]{6}$/.test(code)) throw fieldProblem('code', wrongCode);
    await this.account.askAs(member, confirmEmailChange, { code });
    await this.limits.giveBack('signInCodes', ip);
    return done(pagePaths.settings, 'email-changed');
  }
}
