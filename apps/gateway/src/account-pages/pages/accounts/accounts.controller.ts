import { answerInvitation, joinAccount, listInvitations, openAccount, ServiceError } from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Get, Param, Post } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { MemberPages } from '../../rendering/member-pages.js';
import { Form, type FormFields, Parameters } from '../../sessions/form-fields.js';
import { CurrentPerson, type PersonVisit } from '../../sessions/visit.js';
import { WithoutAccount } from '../../sessions/without-account.js';
import { isAboutForm, refuseFor } from '../../view/form-refusal.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { readId } from '../read-id.js';
import { accountsPage } from './accounts.page.js';

const doneByCode: Readonly<Record<string, string>> = {
  declined: 'The invitation is declined.',
  left: 'You have left the account.',
};

/** `/account/accounts`: what people decide about their own memberships, with an account or without. */
@MemberPages(pagePaths.accounts)
@WithoutAccount()
export class OwnAccountsController {
  constructor(private readonly services: ServiceClient) {}

  @Get()
  show(@CurrentPerson() visit: PersonVisit, @Parameters() parameters: FormFields): Promise<PageView> {
    const done = doneByCode[parameters.text('done')];
    return this.page(visit, done === undefined ? {} : { done });
  }

  @Post()
  open(@CurrentPerson() visit: PersonVisit, @Form() form: FormFields): Promise<PageView | SeeOther> {
    const request = { session_hash: sha256(visit.token), account_id: uuidv7() };
    return this.change(visit, form, pagePaths.overview, () =>
      this.services.request(openAccount, request, visit.context()),
    );
  }

  @Post('invitations/:id/accept')
  accept(
    @CurrentPerson() visit: PersonVisit,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageView | SeeOther> {
    return this.answer(visit, form, id, true, pagePaths.overview);
  }

  @Post('invitations/:id/decline')
  decline(
    @CurrentPerson() visit: PersonVisit,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageView | SeeOther> {
    return this.answer(visit, form, id, false, withQuery(pagePaths.accounts, { done: 'declined' }));
  }

  @Post(':id/join')
  join(
    @CurrentPerson() visit: PersonVisit,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageView | SeeOther> {
    const request = { session_hash: sha256(visit.token), account_id: readId(id) };
    return this.change(visit, form, pagePaths.overview, () =>
      this.services.request(joinAccount, request, visit.context()),
    );
  }

  private answer(
    visit: PersonVisit,
    form: FormFields,
    id: string,
    isAccepted: boolean,
    next: string,
  ): Promise<PageView | SeeOther> {
    const invitation = { invitation_id: readId(id), is_accepted: isAccepted };
    const request = { session_hash: sha256(visit.token), ...invitation };
    return this.change(visit, form, next, () =>
      this.services.request(answerInvitation, request, visit.context()),
    );
  }

  /** What billing refuses is said on the page: the invitation was revoked meanwhile, the account is full, the sign-in is too old. */
  private async change(
    visit: PersonVisit,
    form: FormFields,
    next: string,
    ask: () => Promise<unknown>,
  ): Promise<PageView | SeeOther> {
    try {
      await ask();
    } catch (error) {
      if (isAboutForm(error) || isRefused(error)) return refuseFor(await this.page(visit), form, error);
      throw error;
    }
    return new SeeOther(next);
  }

  private async page(visit: PersonVisit, outcome: { readonly done?: string } = {}): Promise<PageView> {
    const request = { session_hash: sha256(visit.token) };
    const own = await this.services.request(listInvitations, request, visit.context());
    return accountsPage({ ...own, session: visit.session, ...outcome });
  }
}

/** The invitation is no longer open, or the sign-in is too old to join. */
function isRefused(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.code === 'not_found' || error.code === 'forbidden');
}
