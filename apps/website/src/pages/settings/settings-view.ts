import { getAccount, getNotices, listDeliveries, listMembers, listSessions } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
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
    // Ids for the forms that invite and send a test: a form sent twice is one invitation or test.
    invitationId: uuidv7(),
    noticeId: uuidv7(),
  };
}
