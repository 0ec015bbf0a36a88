import {
  type AnswerInvitationRequest,
  type InvitationPath,
  type InvitationView,
  type InviteMemberReply,
  type InviteMemberRequest,
  mailboxOf,
  type MemberRole,
  ServiceError,
  type SessionView,
} from '#contracts';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { dayMs } from '../../durations.js';
import { conflict, notFound, rateLimited } from '../../errors.js';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { ImmediateMailer } from '../mail/immediate-mailer.js';
import { type Mail, withoutLinks } from '../mail/mail.js';
import { MailService } from '../mail/mail.service.js';
import { lockMailbox, requireEmail } from '../records/people.js';
import { type Member } from '../records/member.entity.js';
import { type MemberOfAccount, MembersRepository, membersMax } from '../records/members.repository.js';
import { SessionsService, toView as toSessionView } from '../sessions/sessions.service.js';
import { Invitation } from './invitation.entity.js';
import { invitationForMs, InvitationsRepository } from './invitations.repository.js';

/** Invitations within 24 hours; each is one mail. */
const invitationsMax = {
  ofAccount: 20,
  /** From one account to one mailbox. */
  toMailbox: 1,
  /** From all accounts to one mailbox. */
  toMailboxFromAll: 5,
} as const;

/**
 * Invitations to accounts: sent and revoked by their owners, for whom nothing depends on whether an address is known, and answered by
 * people who have signed in.
 */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly members: MembersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly mail: MailService,
    private readonly mailer: ImmediateMailer,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Sends one mail per invitation id. Throws `conflict` for a member, an open invitation and a full account, and
   * `rate_limited` beyond `invitationsMax`.
   */
  async invite(request: InviteMemberRequest, by: ChangeContext): Promise<InviteMemberReply> {
    const invite = (locked: LockedAccounts) => this.inviteLocked(locked, request);
    const invitation = await this.transactions.run([request.account_id], invite, by);
    return { ...toInvitationView(invitation), is_mailed: this.mail.isOn };
  }

  /** Throws `not_found` when it has ended. */
  async revoke({ account_id, invitation_id }: InvitationPath, by: ChangeContext): Promise<void> {
    const revoke = async (locked: LockedAccounts): Promise<void> => {
      const invitation = await this.invitations.find(locked, invitation_id);
      if (invitation?.accountId !== account_id || invitation.endedAt !== null) throw noSuchInvitation();
      await this.invitations.end(locked, { id: invitation_id });
    };
    await this.transactions.run([account_id], revoke, by);
  }

  /** A person becomes a member only by accepting. Throws `not_found` for an invitation of another address or one that is not open, `conflict` for a 51st member. */
  async answer(
    { session_hash, invitation_id, is_accepted }: AnswerInvitationRequest,
    by: ChangeContext,
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
      await this.invitations.end(locked, { id: invitation_id });
      if (!is_accepted) return toSessionView(await this.sessions.get(locked, session_hash));
      await this.addMember(locked, { accountId, personId }, role);
      return this.sessions.moveTo(locked, { id, tokenHash: session_hash }, accountId);
    };
    return this.transactions.run([accountId], answer, by);
  }

  /** Changes nothing for a member. */
  private async addMember(locked: LockedAccounts, path: MemberOfAccount, role: MemberRole): Promise<void> {
    if (await this.members.find(locked, path)) return;
    if ((await this.members.count(locked, path.accountId)) >= membersMax) {
      throw conflict(`The account already has ${membersMax} members.`);
    }
    await this.members.insert(locked, { ...path, role });
  }

  private async inviteLocked(locked: LockedAccounts, request: InviteMemberRequest): Promise<Invitation> {
    const emailFolded = requireEmail(request.email);
    const { account_id: accountId, invitation_id: id, role, person_id: invitedBy } = request;
    const { name } = await this.accounts.get(locked, accountId);
    const known = await this.invitations.find(locked, id);
    if (known) return known;
    const inviter = await this.members.get(locked, { accountId, personId: invitedBy });
    await this.refuseRepeated(locked, accountId, emailFolded);
    const mailbox = mailboxOf(emailFolded);
    await this.refuseTooMany(locked, accountId, mailbox);
    const expiresAt = new Date(locked.now.getTime() + invitationForMs);
    const createdAt = locked.now;
    const invitation = { id, accountId, emailFolded, mailbox, role, invitedBy, createdAt, expiresAt };
    await locked.manager.insert(Invitation, invitation);
    // Without mail, the invitation is still shown on the account pages, and operators can hand out links.
    locked.onCommit(() =>
      this.mailer.sendSoon('invitation', (product) => this.mailOf(product, name, inviter, invitation)),
    );
    return { ...invitation, endedAt: null };
  }

  /** An owner may know who is a member or invited, so these errors name the reason. */
  private async refuseRepeated(
    locked: LockedAccounts,
    accountId: string,
    emailFolded: string,
  ): Promise<void> {
    if (await this.members.findByEmail(locked, accountId, emailFolded)) {
      throw conflict(`${emailFolded} is already a member of this account.`);
    }
    const open = await locked.manager.findOneBy(Invitation, { accountId, emailFolded, endedAt: IsNull() });
    if (open && open.expiresAt > locked.now) {
      throw conflict(`${emailFolded} was already invited to this account.`);
    }
    if (open) await this.invitations.end(locked, { id: open.id });
  }

  /** Revoked invitations count too: their mails were sent. The mailbox is locked, because several accounts can write to it. */
  private async refuseTooMany(locked: LockedAccounts, accountId: string, mailbox: string): Promise<void> {
    const members = await this.members.count(locked, accountId);
    const open = { accountId, endedAt: IsNull(), expiresAt: MoreThan(locked.now) };
    if (members + (await locked.manager.countBy(Invitation, open)) >= membersMax) {
      throw conflict(`An account can have at most ${membersMax} members and open invitations.`);
    }
    const createdAt = MoreThan(new Date(locked.now.getTime() - dayMs));
    if ((await locked.manager.countBy(Invitation, { accountId, createdAt })) >= invitationsMax.ofAccount) {
      throw tooMany(`An account can send ${invitationsMax.ofAccount} invitations a day.`);
    }
    await lockMailbox(locked, mailbox);
    const toMailbox = await locked.manager.countBy(Invitation, { accountId, mailbox, createdAt });
    const fromAll = await locked.manager.countBy(Invitation, { mailbox, createdAt });
    if (toMailbox >= invitationsMax.toMailbox || fromAll >= invitationsMax.toMailboxFromAll) {
      throw tooMany('This address cannot be invited again today.');
    }
  }

  /** Names the account, the role and the owner who invites, and nothing else about them. */
  private mailOf(
    product: string,
    accountName: string,
    { person }: Member,
    { emailFolded: to, role }: Pick<Invitation, 'emailFolded' | 'role'>,
  ): Mail {
    const { pagesUrl } = this.mail.options;
    const as = role === 'owner' ? 'an owner' : 'a member';
    return {
      kind: 'invitation',
      to,
      subject: `Invitation to an account on ${product}`,
      paragraphs: [
        `${person.emailFolded} has invited you to join the account "${withoutLinks(accountName)}" as ${as}.`,
        pagesUrl === null
          ? 'Sign in to the account pages with this address to accept or decline.'
          : { label: 'Sign in with this address to accept or decline', link: `${pagesUrl}/accounts` },
        'The invitation is valid for 14 days. If you do not recognise this account, ignore this email.',
      ],
    };
  }
}

export function toInvitationView(invitation: Invitation): InvitationView {
  const { id, emailFolded: email, role, createdAt, expiresAt } = invitation;
  return { id, email, role, invited_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() };
}

function noSuchInvitation(): ServiceError {
  return notFound('This invitation does not exist or is no longer open.');
}

function tooMany(sentence: string): ServiceError {
  return rateLimited(`${sentence} Try again tomorrow.`);
}
