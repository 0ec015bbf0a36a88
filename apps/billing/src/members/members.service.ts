import {
  type AddMemberRequest,
  type ChangeMemberRequest,
  type MemberPath,
  type MemberView,
  ServiceError,
} from '@app/contracts';
import { foldEmail } from '@app/platform';
import { type RemainingMs, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountsRepository, noSuchAccount } from '../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { MailService } from '../mail/mail.service.js';
import { PromptMails } from '../mail/prompt-mails.js';
import { type Member } from '../people/member.entity.js';
import { MembersRepository } from '../people/members.repository.js';
import { PeopleRepository } from '../people/people.repository.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { invitationMail } from './invitation-mail.js';

const membersMax = 50;

/** The members of an account. It always keeps an owner. */
@Injectable()
export class MembersService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly people: PeopleRepository,
    private readonly members: MembersRepository,
    private readonly sessions: SessionsRepository,
    private readonly mail: MailService,
    private readonly mails: PromptMails,
  ) {}

  /** Owners first, then by address. Throws `not_found` without the account. */
  async list(accountId: string): Promise<MemberView[]> {
    await this.accounts.get(this.database, accountId);
    return (await this.members.ofAccount(this.database, accountId)).map(toView);
  }

  /** An address is a member once, and told once; a known member stays as they are. Throws `conflict` for a 51st member. */
  async add(request: AddMemberRequest, remainingMs?: RemainingMs): Promise<MemberView> {
    const emailFolded = foldEmail(request.email);
    if (emailFolded === null) throw notAnAddress();
    const add = (locked: LockedAccounts) => this.addLocked(locked, request, emailFolded);
    return toView(await this.transactions.run([request.account_id], add, { remainingMs }));
  }

  /** Throws `conflict` when the account would be left without an owner. */
  async change(
    { account_id, person_id, role }: ChangeMemberRequest,
    remainingMs?: RemainingMs,
  ): Promise<MemberView> {
    const path = { accountId: account_id, personId: person_id };
    const change = async (locked: LockedAccounts): Promise<Member> => {
      const member = await this.members.get(locked, path);
      if (role === undefined || role === member.role) return member;
      await this.refuseWithoutOwner(locked, member);
      await this.members.changeRole(locked, path, role);
      return { ...member, role };
    };
    return toView(await this.transactions.run([account_id], change, { remainingMs }));
  }

  /** Their sessions that show this account end with it. Throws `conflict` for the last owner. */
  async remove({ account_id, person_id }: MemberPath, remainingMs?: RemainingMs): Promise<void> {
    const path = { accountId: account_id, personId: person_id };
    const remove = async (locked: LockedAccounts): Promise<void> => {
      await this.refuseWithoutOwner(locked, await this.members.get(locked, path));
      await this.members.remove(locked, path);
      await this.sessions.endOfMember(locked, path);
    };
    await this.transactions.run([account_id], remove, { remainingMs });
  }

  private async addLocked(
    locked: LockedAccounts,
    request: AddMemberRequest,
    emailFolded: string,
  ): Promise<Member> {
    const { account_id: accountId, person_id: id, email, role } = request;
    if (!locked.accountIds.has(accountId)) throw noSuchAccount();
    const person = await this.people.findOrAdd(locked, { id, email, emailFolded });
    const path = { accountId, personId: person.id };
    const known = await this.members.find(locked, path);
    if (known) return known;
    if ((await this.members.count(locked, accountId)) >= membersMax) {
      throw new ServiceError('conflict', `The account has ${membersMax} members already.`);
    }
    await this.members.insert(locked, { ...path, role });
    locked.onCommit(() => this.tell(accountId, person.email));
    return this.members.get(locked, path);
  }

  /** Mail is no condition of being a member: operators can hand out links. */
  private tell(accountId: string, to: string): void {
    if (!this.mail.isOn) return;
    this.mails.sendSoon(async () => {
      const { name } = await this.accounts.get(this.database, accountId);
      return invitationMail({ to, accountName: name, pagesUrl: this.mail.pagesUrl });
    });
  }

  private async refuseWithoutOwner(locked: LockedAccounts, { accountId, role }: Member): Promise<void> {
    if (role !== 'owner' || (await this.members.count(locked, accountId, 'owner')) > 1) return;
    throw new ServiceError('conflict', 'This is the last owner: make another member an owner first.');
  }
}

function notAnAddress(): ServiceError {
  return new ServiceError('invalid_request', 'This is not an e-mail address.', {
    details: { email: ['email must be an e-mail address'] },
  });
}

function toView({ person, role, addedAt, lastSeenAt }: Member): MemberView {
  return {
    person_id: person.id,
    email: person.email,
    role,
    added_at: addedAt.toISOString(),
    last_seen_at: lastSeenAt?.toISOString() ?? null,
  };
}
