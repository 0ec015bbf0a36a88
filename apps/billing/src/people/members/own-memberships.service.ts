import {
  type AnswerInvitationRequest,
  type MemberRole,
  type OpenAccountRequest,
  type OwnInvitations,
  ServiceError,
  type SessionView,
} from '#contracts';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { InvitationsRepository } from '../invitations/invitations.repository.js';
import { type MemberOfAccount, membersMax, MembersRepository } from '../records/members.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OwnAccounts } from '../sign-in/own-accounts.js';
import { noSuchInvitation } from '../invitations/invitations.service.js';

/** The memberships of a signed-in person: they become a member only by accepting or opening an account themselves. */
@Injectable()
export class OwnMembershipsService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly sessions: SessionsService,
    private readonly members: MembersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly ownAccounts: OwnAccounts,
  ) {}

  async list(sessionHash: string): Promise<OwnInvitations> {
    const session = await this.sessions.get(this.database, sessionHash);
    const { person_id: id, email: emailFolded, is_address_proven: isProven } = session;
    const received = isProven ? await this.invitations.received(this.database, emailFolded) : [];
    return {
      invitations: received.map((row) => ({ ...row, expires_at: row.expires_at.toISOString() })),
      can_open_account: isProven && (await this.ownAccounts.canOpen(this.database, { id, emailFolded })),
    };
  }

  /** Throws `not_found` for an invitation of another address or one that is not open, `conflict` for a 51st member. */
  async answer(
    { session_hash, invitation_id, is_accepted }: AnswerInvitationRequest,
    by: ChangeContext = {},
  ): Promise<SessionView> {
    const invitation = await this.invitations.find(this.database, invitation_id);
    if (!invitation) throw noSuchInvitation();
    const { accountId, role, emailFolded } = invitation;
    const answer = async (locked: LockedAccounts): Promise<SessionView> => {
      const session = await this.sessions.get(locked, session_hash);
      const { id, person_id: personId, email, is_address_proven: isProven } = session;
      if (!isProven || email !== emailFolded) throw noSuchInvitation();
      const now = await this.invitations.find(locked, invitation_id);
      if (!now || now.endedAt !== null || now.expiresAt <= locked.now) throw noSuchInvitation();
      await this.invitations.end(locked, invitation_id);
      if (!is_accepted) return this.sessions.showNow(locked, session_hash);
      await this.addMember(locked, { accountId, personId }, role);
      return this.sessions.moveTo(locked, { id, tokenHash: session_hash }, accountId);
    };
    return this.transactions.run([accountId], answer, by);
  }

  /** Throws `forbidden` unless sign-up is open, `conflict` for a second account, `rate_limited` for too many from a network. */
  openAccount(
    { session_hash, account_id }: OpenAccountRequest,
    by: ChangeContext = {},
  ): Promise<SessionView> {
    const open = async (locked: LockedAccounts): Promise<SessionView> => {
      const session = await this.sessions.get(locked, session_hash);
      const { id, person_id: personId, email, is_address_proven: isProven } = session;
      if (!isProven) throw addressNotProven();
      const network = await this.sessions.networkOf(locked, session_hash);
      await this.ownAccounts.openAnother(locked, { id: personId, emailFolded: email, network }, account_id);
      return this.sessions.moveTo(locked, { id, tokenHash: session_hash }, account_id);
    };
    return this.transactions.run([], open, by);
  }

  /** Changes nothing for a member. */
  private async addMember(locked: LockedAccounts, path: MemberOfAccount, role: MemberRole): Promise<void> {
    if (await this.members.find(locked, path)) return;
    if ((await this.members.count(locked, path.accountId)) >= membersMax) throw full();
    await this.members.insert(locked, { ...path, role });
  }
}

function addressNotProven(): ServiceError {
  return new ServiceError(
    'forbidden',
    'Your company uses another email address for you. Sign in by email first.',
  );
}

function full(): ServiceError {
  return new ServiceError('conflict', `The account already has ${membersMax} members.`);
}
