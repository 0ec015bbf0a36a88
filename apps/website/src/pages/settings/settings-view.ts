import {
  type AccountDetail,
  type DeliveryView,
  getAccount,
  getNotices,
  type InvitationView,
  listDeliveries,
  type ListedSession,
  listMembers,
  listSessions,
  type MemberView,
  type NoticeSettings,
} from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { type AccountData } from '../../data/account-data.js';
import { type MemberRequest } from '../../sessions/member-request.js';

/** What the page of settings shows. */
export interface SettingsView {
  readonly account: AccountDetail;
  readonly members: readonly MemberView[];
  /** Open ones. */
  readonly invitations: readonly InvitationView[];
  readonly notices: NoticeSettings;
  readonly deliveries: readonly DeliveryView[];
  readonly sessions: readonly ListedSession[];
  /** The person who looks at it. */
  readonly personId: string;
  readonly isOwner: boolean;
  /** Of the forms to invite and to send a test: the same form sent twice is one invitation or test. */
  readonly invitationId: string;
  readonly noticeId: string;
}

export async function findSettings(data: AccountData, member: MemberRequest): Promise<SettingsView> {
  const [account, { members, invitations }, notices, { deliveries }, { sessions }] = await Promise.all([
    data.ask(member, getAccount, {}),
    data.ask(member, listMembers, {}),
    data.ask(member, getNotices, {}),
    data.ask(member, listDeliveries, {}),
    data.askAs(member, listSessions, {}),
  ]);
  return {
    account,
    members,
    invitations,
    notices,
    deliveries,
    sessions,
    personId: member.session.person_id,
    isOwner: member.isOwner,
    invitationId: uuidv7(),
    noticeId: uuidv7(),
  };
}
