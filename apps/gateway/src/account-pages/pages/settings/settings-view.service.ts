import {
  getAccount,
  getNotices,
  listDeliveries,
  listMembers,
  listSessions,
  type MemberView,
} from '@app/contracts';
import { sha256 } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type Visit } from '../../sessions/visit.js';
import { type PageView } from '../../view/page.js';
import { settingsPage } from './settings.page.js';
import { type SettingsProps } from './settings-props.js';

/** Gathers what the page of settings shows. */
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

  async members(visit: Visit): Promise<MemberView[]> {
    const path = { account_id: visit.accountId };
    return (await this.services.request(listMembers, path, visit.context())).members;
  }
}
