import {
  type ChangeMemberRequest,
  type LeaveAccountRequest,
  type Members,
  type MemberView,
  type RemoveMemberRequest,
  type SessionView,
} from '#contracts';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { conflict } from '../../errors.js';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { AccountTransactions, type LockedAccounts, readClock } from '../../database/account-transactions.js';
import { toInvitationView } from '../invitations/invitations.service.js';
import { InvitationsRepository } from '../invitations/invitations.repository.js';
import { Member } from '../records/member.entity.js';
import { type MemberOfAccount, MembersRepository } from '../records/members.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** The members of an account. An account always keeps an owner. */
@Injectable()
export class MembersService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly members: MembersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly sessions: SessionsService,
    private readonly keys: ApiKeysService,
  ) {}

  /** Throws `not_found` without the account. */
  async list(accountId: string): Promise<Members> {
    await this.accounts.get(this.database, accountId);
    const members = await this.members.ofAccount(this.database, accountId);
    const now = await readClock(this.database);
    const invitations = await this.invitations.ofAccount(this.database, accountId, now);
    return { members: members.map(toView), invitations: invitations.map(toInvitationView) };
  }

  /** Throws `conflict` when the account would be left without an owner. */
  async change({ account_id, person_id, role }: ChangeMemberRequest, by: ChangeContext): Promise<MemberView> {
    const path = { accountId: account_id, personId: person_id };
    const change = async (locked: LockedAccounts): Promise<Member> => {
      const member = await this.members.get(locked, path);
      if (role === undefined || role === member.role) return member;
      await this.refuseWithoutOwner(locked, member);
      await locked.manager.update(Member, path, { role });
      if (role === 'member') {
        await this.invitations.end(locked, { accountId: account_id, invitedBy: person_id });
      }
      return { ...member, role };
    };
    return toView(await this.transactions.run([account_id], change, by));
  }

  /**
   * Also ends their sessions that show this account and the invitations that they have sent. The keys that they have created keep
   * working unless `delete_keys` is set. Throws `conflict` for the last owner.
   */
  async remove(
    { account_id, person_id, delete_keys }: RemoveMemberRequest,
    by: ChangeContext,
  ): Promise<void> {
    const path = { accountId: account_id, personId: person_id };
    const remove = async (locked: LockedAccounts): Promise<void> => {
      await this.removeLocked(locked, path);
      if (delete_keys === true) await this.keys.removeCreatedBy(locked, path);
      await this.sessions.endAll(locked, path);
    };
    await this.transactions.run([account_id], remove, by);
  }

  /** A session that shows the account then shows another one of the person, or none. Throws `conflict` for the last owner. */
  leave(
    { session_hash: tokenHash, account_id: accountId }: LeaveAccountRequest,
    by: ChangeContext,
  ): Promise<SessionView> {
    const leave = async (locked: LockedAccounts): Promise<SessionView> => {
      const { id, person_id: personId, account_id } = await this.sessions.get(locked, tokenHash);
      await this.removeLocked(locked, { accountId, personId });
      const next =
        account_id === accountId
          ? ((await this.members.findLastSeen(locked, personId))?.accountId ?? null)
          : account_id;
      const session = await this.sessions.moveTo(locked, { id, tokenHash }, next);
      await this.sessions.endAll(locked, { accountId, personId });
      return session;
    };
    return this.transactions.run([accountId], leave, by);
  }

  private async removeLocked(locked: LockedAccounts, path: MemberOfAccount): Promise<void> {
    await this.refuseWithoutOwner(locked, await this.members.get(locked, path));
    await locked.manager.delete(Member, path);
    await this.invitations.end(locked, { accountId: path.accountId, invitedBy: path.personId });
  }

  private async refuseWithoutOwner(locked: LockedAccounts, { accountId, role }: Member): Promise<void> {
    if (role !== 'owner' || (await this.members.count(locked, accountId, 'owner')) > 1) return;
    throw conflict('An account needs an owner. Make another member an owner first.');
  }
}

function toView({ person, role, addedAt, lastSeenAt }: Member): MemberView {
  return {
    person_id: person.id,
    email: person.emailFolded,
    role,
    added_at: addedAt.toISOString(),
    last_seen_at: lastSeenAt?.toISOString() ?? null,
  };
}
