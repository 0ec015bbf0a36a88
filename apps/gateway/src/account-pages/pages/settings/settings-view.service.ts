import {
  getAccount,
  getNotices,
  getSignInRules,
  listDeliveries,
  listMembers,
  listSessions,
  type Members,
} from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { type Visit } from '../../sessions/visit.js';
import { isAboutForm, refuseFor } from '../../view/form-refusal.js';
import { type SentForm } from '../../view/sent-form.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { settingsPage } from './settings.page.js';
import { type SettingsProps } from './settings-props.js';

/** A form that changes settings. */
export interface Change {
  readonly form: SentForm;
  /** The code of what the page says afterwards. */
  readonly done: string;
  /** Default: the page of settings. */
  readonly next?: string;
  /** The fields that people fill in. */
  readonly fields?: readonly string[];
  readonly show?: () => PageView | Promise<PageView>;
}

/** The page of settings, and what a change of them leads to. */
@Injectable()
export class SettingsView {
  constructor(private readonly services: ServiceClient) {}

  async page(visit: Visit, outcome: Pick<SettingsProps, 'done'> = {}): Promise<PageView> {
    const path = { account_id: visit.accountId };
    const context = visit.context();
    const [account, { members, invitations = [] }, notices, { deliveries }, rules, { sessions }] =
      await Promise.all([
        this.services.request(getAccount, path, context),
        this.members(visit),
        this.services.request(getNotices, path, context),
        this.services.request(listDeliveries, path, context),
        this.services.request(getSignInRules, path, context),
        this.services.request(listSessions, { session_hash: sha256(visit.token) }, context),
      ]);
    return settingsPage({
      account,
      members,
      invitations,
      invitationId: uuidv7(),
      notices,
      deliveries,
      rules,
      method: visit.session.method,
      sessions,
      personId: visit.session.person_id,
      isOwner: visit.isOwner,
      noticeId: uuidv7(),
      ...outcome,
    });
  }

  /**
   * Leads to the page that says what was `done`. What billing does not accept is shown in the form again: at the
   * field if the error names one of `fields`, as with an address that is no address; above it if it is about the whole, as
   * that an account needs an owner. `show`: another page with the form.
   */
  async change(
    visit: Visit,
    { form, done, next = pagePaths.settings, fields = [], show = () => this.page(visit) }: Change,
    ask: () => Promise<unknown>,
  ): Promise<PageView | SeeOther> {
    try {
      await ask();
    } catch (error) {
      if (!isAboutForm(error)) throw error;
      return refuseFor(await show(), form, error, fields);
    }
    return new SeeOther(withQuery(next, { done }));
  }

  members(visit: Visit): Promise<Members> {
    return this.services.request(listMembers, { account_id: visit.accountId }, visit.context());
  }
}
