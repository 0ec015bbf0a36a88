import { type SessionView } from '@app/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { type LockedAccounts } from '../database/account-transactions.js';
import { type Member } from '../people/member.entity.js';
import { MembersRepository } from '../people/members.repository.js';
import { Owners } from '../people/owners.js';
import { PeopleRepository } from '../people/people.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SIGN_IN_OPTIONS, type SignInOptions } from './sign-in-options.js';

/** An address whose owner has been recognized, and the account of an operator's link. */
interface Recognized {
  readonly emailFolded: string;
  readonly accountId: string | null;
}

/** Where they sign in. */
interface Browser {
  readonly session_hash: string;
  readonly network: string;
  readonly user_agent: string;
}

const nameLengthMax = 200;

/** Opens sessions for people who have been recognized, and accounts for new ones where anybody may sign up. */
@Injectable()
export class Welcome {
  constructor(
    private readonly people: PeopleRepository,
    private readonly members: MembersRepository,
    private readonly owners: Owners,
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsService,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  /** The session that an earlier delivery of the same message has opened. */
  again(locked: LockedAccounts, sessionHash: string): Promise<SessionView | null> {
    return this.sessions.findOpened(locked, sessionHash);
  }

  /**
   * In the account of the link, or in the one that the person used last; `null` when they are no member and can't become
   * one. The address is locked.
   */
  async open(locked: LockedAccounts, who: Recognized, browser: Browser): Promise<SessionView | null> {
    const member = (await this.findMember(locked, who)) ?? (await this.signUp(locked, who));
    return (
      member &&
      this.sessions.open(locked, {
        id: uuidv7(),
        tokenHash: browser.session_hash,
        personId: member.personId,
        accountId: member.accountId,
        network: browser.network,
        userAgent: browser.user_agent,
      })
    );
  }

  private async findMember(
    locked: LockedAccounts,
    { emailFolded, accountId }: Recognized,
  ): Promise<Member | null> {
    const person = await this.people.find(locked, emailFolded);
    if (!person) return null;
    return accountId === null
      ? this.members.findLastSeen(locked, person.id)
      : this.members.findToStay(locked, { accountId, personId: person.id });
  }

  /** A new account, named by its address. An operator's link is for a member. */
  private async signUp(
    locked: LockedAccounts,
    { emailFolded, accountId }: Recognized,
  ): Promise<Member | null> {
    if (!this.options.isSignUpOpen || accountId !== null) return null;
    const id = uuidv7();
    const name = emailFolded.slice(0, nameLengthMax);
    await this.accounts.insert(locked, { id, name, email: emailFolded, createdAt: locked.now });
    await this.owners.makeFirst(locked, id, emailFolded);
    return this.members.firstOwner(locked, id);
  }
}
