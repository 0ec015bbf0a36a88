import {
  getAccount,
  getNotices,
  getSignInRules,
  listDeliveries,
  listMembers,
  listSessions,
} from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AccountData } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type MemberRequest } from '../../sessions/member-request.js';
import { donePath, type FormFields, submit, type Submission } from '../../view/forms.js';
import { type FormResult, type PageView } from '../../view/page.js';
import { settingsPage } from './settings.page.js';

/** A form of the settings; `page`: by default the page of all settings. */
type Change = { readonly form: FormFields; readonly done: string } & Partial<Submission>;

/** The page of settings, and what its forms lead to. */
@Injectable()
export class SettingsView {
  constructor(
    private readonly account: AccountData,
    private readonly services: ServiceClient,
  ) {}

  async page(member: MemberRequest, done?: string): Promise<PageView> {
    const { session, sessionHash, isOwner } = member;
    const [account, { members, invitations = [] }, notices, { deliveries }, rules, { sessions }] =
      await Promise.all([
        this.account.ask(member, getAccount, {}),
        this.account.ask(member, listMembers, {}),
        this.account.ask(member, getNotices, {}),
        this.account.ask(member, listDeliveries, {}),
        this.account.ask(member, getSignInRules, {}),
        this.services.request(listSessions, { session_hash: sessionHash }, member.context()),
      ]);
    const shown = { account, members, invitations, notices, deliveries, rules, sessions };
    const { person_id: personId, method } = session;
    const formIds = { invitationId: uuidv7(), noticeId: uuidv7() };
    return settingsPage({ ...shown, ...formIds, personId, method, isOwner, done });
  }

  /** Handles a form (`submit`), and leads to the settings, which say what was `done`. */
  change(
    member: MemberRequest,
    { done, ...submission }: Change,
    ask: () => Promise<unknown>,
  ): Promise<FormResult> {
    return submit({ page: () => this.page(member), ...submission }, async () => {
      await ask();
      return donePath(pagePaths.settings, done);
    });
  }
}
