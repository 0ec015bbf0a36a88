import { getAccount, getNotices, listDeliveries, listMembers, listSessions } from '#contracts';
import { type AccountData } from '../../data/account-data.js';
import { type MemberRequest } from '../../sessions/member-request.js';

/** The data of the settings page. */
export type SettingsView = Awaited<ReturnType<typeof findSettings>>;

export async function findSettings(data: AccountData, member: MemberRequest) {
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
    email: member.session.email,
    isOwner: member.isOwner,
  };
}
