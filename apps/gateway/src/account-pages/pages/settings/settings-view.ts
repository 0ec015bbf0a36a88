import {
  type AccountDetail,
  type DeliveryView,
  getAccount,
  getNotices,
  getSignInRules,
  type InvitationView,
  listDeliveries,
  type ListedSession,
  listMembers,
  listSessions,
  type MemberView,
  type NoticeSettings,
  type SessionMethod,
  type SignInRules,
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
  readonly rules: SignInRules;
  readonly sessions: readonly ListedSession[];
  /** The person who looks at it, and how they have signed in. */
  readonly personId: string;
  readonly isOwner: boolean;
  readonly method: SessionMethod | undefined;
  /** Of the forms to invite and to send a test: the same form sent twice is one invitation or test. */
  readonly invitationId: string;
  readonly noticeId: string;
}

export async function findSettings(data: AccountData, member: MemberRequest): Promise<SettingsView> {
  const [account, { members, invitations = [] }, notices, { deliveries }, rules, { sessions }] =
    await Promise.all([
      data.ask(member, getAccount, {}),
      data.ask(member, listMembers, {}),
      data.ask(member, getNotices, {}),
      data.ask(member, listDeliveries, {}),
      data.ask(member, getSignInRules, {}),
      data.askAs(member, listSessions, {}),
    ]);
  return {
    account,
    members,
    invitations,
    notices,
    deliveries,
    rules,
    sessions,
    personId: member.session.person_id,
    isOwner: member.isOwner,
    method: member.session.method,
    invitationId: uuidv7(),
    noticeId: uuidv7(),
  };
}
