import {
  getAccount,
  getNotices,
  listDeliveries,
  listMembers,
  listSessions,
  type MemberView,
  ServiceError,
} from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { pagePaths, withQuery } from '../../paths/page-paths.js';
import { type Visit } from '../../sessions/visit.js';
import { type PageView, SeeOther } from '../../view/page.js';
import { settingsPage } from './settings.page.js';
import { type SettingsProps } from './settings-props.js';

/** The page of settings, and what a change of them leads to. */
@Injectable()
export class SettingsView {
  constructor(private readonly services: ServiceClient) {}

  async page(
    visit: Visit,
    outcome: Pick<SettingsProps, 'done' | 'problem' | 'status'> = {},
  ): Promise<PageView> {
    const path = { account_id: visit.accountId };
    const context = visit.context();
    const [account, members, notices, { deliveries }, { sessions }] = await Promise.all([
      this.services.request(getAccount, path, context),
      this.members(visit),
      this.services.request(getNotices, path, context),
      this.services.request(listDeliveries, path, context),
      this.services.request(listSessions, { session_hash: sha256(visit.token) }, context),
    ]);
    return settingsPage({
      account,
      members,
      notices,
      deliveries,
      sessions,
      personId: visit.session.person_id,
      isOwner: visit.isOwner,
      noticeId: uuidv7(),
      ...outcome,
    });
  }

  /** Leads back to the page, which says what was `done`; a rule of billing, as that an account has an owner, is told on it. */
  async change(visit: Visit, done: string, ask: () => Promise<unknown>): Promise<PageView | SeeOther> {
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
      return this.page(visit, { problem: error.message, status: 409 });
    }
    return new SeeOther(withQuery(pagePaths.settings, { done }));
  }

  async members(visit: Visit): Promise<MemberView[]> {
    const path = { account_id: visit.accountId };
    return (await this.services.request(listMembers, path, visit.context())).members;
  }
}
