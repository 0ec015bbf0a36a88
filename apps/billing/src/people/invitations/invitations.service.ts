import {
  foldEmail,
  type InvitationPath,
  type InvitationView,
  type InviteMemberReply,
  type InviteMemberRequest,
  mailboxOf,
  ServiceError,
} from '@app/contracts';
import { type RemainingMs, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountsRepository, noSuchAccount } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { MailService } from '../mail/mail.service.js';
import { PromptMails } from '../mail/prompt-mails.js';
import { invalidEmail } from '../records/invalid-email.js';
import { type Invitation } from '../records/invitation.entity.js';
import { InvitationsRepository } from '../records/invitations.repository.js';
import { lockMailbox } from '../records/lock-mailbox.js';
import { MembersRepository } from '../records/members.repository.js';
import { dayMs, invitationForMs, invitationsMax, membersMax } from './invitation-limits.js';
import { invitationMail } from './invitation-mail.js';

/** Invitations, as owners make and revoke them. Nothing here depends on whether an address is known. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly members: MembersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly mail: MailService,
    private readonly mails: PromptMails,
  ) {}

  /**
   * Sends one mail per invitation id. Throws `conflict` for a member, an open invitation and a full account, and
   * `rate_limited` beyond `invitationsMax`.
   */
  async invite(request: InviteMemberRequest, remainingMs?: RemainingMs): Promise<InviteMemberReply> {
    const emailFolded = foldEmail(request.email);
    if (emailFolded === null) throw invalidEmail(request.email);
    const invite = (locked: LockedAccounts) => this.inviteLocked(locked, request, emailFolded);
    const invitation = await this.transactions.run([request.account_id], invite, { remainingMs });
    return { ...toInvitationView(invitation), is_mailed: this.mail.isOn };
  }

  /** Throws `not_found` when it has ended. */
  async revoke({ account_id, invitation_id }: InvitationPath, remainingMs?: RemainingMs): Promise<void> {
    const revoke = async (locked: LockedAccounts): Promise<void> => {
      const invitation = await this.invitations.find(locked, invitation_id);
      if (invitation?.accountId !== account_id || invitation.endedAt !== null) throw noSuchInvitation();
      await this.invitations.end(locked, invitation_id);
    };
    await this.transactions.run([account_id], revoke, { remainingMs });
  }

  private async inviteLocked(
    locked: LockedAccounts,
    request: InviteMemberRequest,
    emailFolded: string,
  ): Promise<Invitation> {
    const { account_id: accountId, invitation_id: id, role, person_id: invitedBy } = request;
    if (!locked.accountIds.has(accountId)) throw noSuchAccount();
    const known = await this.invitations.find(locked, id);
    if (known) return known;
    const inviter = await this.members.get(locked, { accountId, personId: invitedBy });
    await this.refuseRepeated(locked, accountId, emailFolded);
    const mailbox = mailboxOf(emailFolded);
    await this.refuseTooMany(locked, accountId, mailbox);
    const expiresAt = new Date(locked.now.getTime() + invitationForMs);
    const invitation = { id, accountId, emailFolded, mailbox, role, invitedBy, expiresAt };
    await this.invitations.insert(locked, invitation);
    locked.onCommit(() => this.send(invitation, inviter.person.emailFolded));
    return { ...invitation, inviter: inviter.person, createdAt: locked.now, endedAt: null };
  }

  /** Says honestly that nothing would happen. */
  private async refuseRepeated(
    locked: LockedAccounts,
    accountId: string,
    emailFolded: string,
  ): Promise<void> {
    if (await this.members.findByEmail(locked, accountId, emailFolded)) {
      throw new ServiceError('conflict', `${emailFolded} is already a member of this account.`);
    }
    const open = await this.invitations.findOpen(locked, accountId, emailFolded);
    if (open && open.expiresAt > locked.now) {
      throw new ServiceError('conflict', `${emailFolded} was already invited to this account.`);
    }
    if (open) await this.invitations.end(locked, open.id);
  }

  /** Mails count also when their invitation was revoked since. The mailbox is locked for the accounts that share it. */
  private async refuseTooMany(locked: LockedAccounts, accountId: string, mailbox: string): Promise<void> {
    const members = await this.members.count(locked, accountId);
    if (members + (await this.invitations.countOpen(locked, accountId)) >= membersMax) {
      throw new ServiceError(
        'conflict',
        `An account can have at most ${membersMax} members and open invitations.`,
      );
    }
    const since = new Date(locked.now.getTime() - dayMs);
    if ((await this.invitations.countSince(locked, { accountId, since })) >= invitationsMax.ofAccount) {
      throw tooMany(`An account can send ${invitationsMax.ofAccount} invitations a day.`);
    }
    await lockMailbox(locked, mailbox);
    const toMailbox = await this.invitations.countSince(locked, { accountId, mailbox, since });
    const fromAll = await this.invitations.countSince(locked, { mailbox, since });
    if (toMailbox >= invitationsMax.toMailbox || fromAll >= invitationsMax.toMailboxFromAll) {
      throw tooMany('This address cannot be invited again today.');
    }
  }

  /** Mail is no condition of an invitation: it waits on the account pages, and operators can hand out links. */
  private send(
    { accountId, emailFolded: to, role }: Pick<Invitation, 'accountId' | 'emailFolded' | 'role'>,
    invitedBy: string,
  ): void {
    if (!this.mail.isOn) return;
    this.mails.sendSoon('invitation', async () => {
      const { name } = await this.accounts.get(this.database, accountId);
      return invitationMail({ to, accountName: name, role, invitedBy, pagesUrl: this.mail.pagesUrl });
    });
  }
}

export function toInvitationView({
  id,
  emailFolded,
  role,
  createdAt,
  expiresAt,
}: Invitation): InvitationView {
  return {
    id,
    email: emailFolded,
    role,
    invited_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

export function noSuchInvitation(): ServiceError {
  return new ServiceError('not_found', 'This invitation does not exist, or is no longer open.');
}

function tooMany(sentence: string): ServiceError {
  return new ServiceError('rate_limited', `${sentence} Try again tomorrow.`);
}
