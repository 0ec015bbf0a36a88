import {
  type AnswerInvitationRequest,
  type OpenAccountRequest,
  type OwnInvitations,
  ServiceError,
  type SessionView,
} from '@app/contracts';
import { type RemainingMs, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { InvitationsRepository } from '../people/invitations.repository.js';
import { MembersRepository } from '../people/members.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OwnAccounts } from '../sign-in/own-accounts.js';
import { membersMax } from './invitation-limits.js';
import { noSuchInvitation } from './invitations.service.js';

/** What people who are signed in decide about their own memberships: nobody is a member of anything before they accept. */
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
    const { person_id: id, email: emailFolded } = await this.sessions.get(this.database, sessionHash);
    const received = await this.invitations.received(this.database, emailFolded);
    return {
      invitations: received.map((row) => ({ ...row, expires_at: row.expires_at.toISOString() })),
      can_open_account: await this.ownAccounts.canOpen(this.database, { id, emailFolded }),
    };
  }

  /** Throws `not_found` for an invitation of another address and for one that is not open, `conflict` for a 51st member. */
  async answer(
    { session_hash, invitation_id, is_accepted }: AnswerInvitationRequest,
    remainingMs?: RemainingMs,
  ): Promise<SessionView> {
    const invitation = await this.invitations.find(this.database, invitation_id);
    if (!invitation) throw noSuchInvitation();
    const { accountId, role, emailFolded } = invitation;
    const answer = async (locked: LockedAccounts): Promise<SessionView> => {
      const { id, person_id: personId, email } = await this.sessions.get(locked, session_hash);
      if (email !== emailFolded) throw noSuchInvitation();
      const now = await this.invitations.find(locked, invitation_id);
      if (!now || now.endedAt !== null || now.expiresAt <= locked.now) throw noSuchInvitation();
      await this.invitations.end(locked, invitation_id);
      if (!is_accepted) return this.sessions.showNow(locked, session_hash);
      const path = { accountId, personId };
      if (!(await this.members.find(locked, path))) {
        if ((await this.members.count(locked, accountId)) >= membersMax) throw full();
        await this.members.insert(locked, { ...path, role });
      }
      return this.sessions.moveTo(locked, { id, tokenHash: session_hash }, accountId);
    };
    return this.transactions.run([accountId], answer, { remainingMs });
  }

  /** Throws `forbidden` unless sign-up is open, `conflict` for a second one, `rate_limited` for too many of a network. */
  openAccount(
    { session_hash, account_id }: OpenAccountRequest,
    remainingMs?: RemainingMs,
  ): Promise<SessionView> {
    const open = async (locked: LockedAccounts): Promise<SessionView> => {
      const { id, person_id: personId, email } = await this.sessions.get(locked, session_hash);
      const network = await this.sessions.networkOf(locked, session_hash);
      await this.ownAccounts.openAnother(locked, { id: personId, emailFolded: email, network }, account_id);
      return this.sessions.moveTo(locked, { id, tokenHash: session_hash }, account_id);
    };
    return this.transactions.run([], open, { remainingMs });
  }
}

function full(): ServiceError {
  return new ServiceError('conflict', `The account has ${membersMax} members already.`);
}
