import { type SessionView } from '@app/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type LockedAccounts } from '../database/account-transactions.js';
import { InvitationsRepository } from '../people/invitations.repository.js';
import { type Member } from '../people/member.entity.js';
import { MembersRepository } from '../people/members.repository.js';
import { PeopleRepository } from '../people/people.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OwnAccounts } from './own-accounts.js';
import { SIGN_IN_OPTIONS, type SignInOptions } from './sign-in-options.js';

/** An address whose owner has been recognized, and the account of an operator's link. */
interface Recognized {
  readonly emailFolded: string;
  readonly accountId: string | null;
}

/** Who signs in, and to which account; `null`: to none yet. */
interface Place {
  readonly personId: string;
  readonly accountId: string | null;
}

/** Where they sign in. */
interface Browser {
  readonly session_hash: string;
  readonly network: string;
  readonly user_agent: string;
}

/** Opens sessions for people who have been recognized, and accounts for new ones where anybody may sign up. */
@Injectable()
export class Welcome {
  constructor(
    private readonly people: PeopleRepository,
    private readonly members: MembersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly ownAccounts: OwnAccounts,
    private readonly sessions: SessionsService,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  /** The session that an earlier delivery of the same message has opened. */
  again(locked: LockedAccounts, sessionHash: string): Promise<SessionView | null> {
    return this.sessions.findOpened(locked, sessionHash);
  }

  /**
   * In the account of the link, or in the one that the person used last; without an account for a person who has an
   * invitation to answer; `null` when they are no member and can't become one. The address is locked.
   */
  async open(locked: LockedAccounts, who: Recognized, browser: Browser): Promise<SessionView | null> {
    const place = (await this.find(locked, who)) ?? (await this.signUp(locked, who, browser.network));
    return (
      place &&
      this.sessions.open(locked, {
        id: uuidv7(),
        personId: place.personId,
        accountId: place.accountId,
        tokenHash: browser.session_hash,
        network: browser.network,
        userAgent: browser.user_agent,
      })
    );
  }

  private async find(locked: LockedAccounts, who: Recognized): Promise<Place | null> {
    const { emailFolded, accountId } = who;
    const person = await this.people.find(locked, emailFolded);
    const member = person && (await this.findMember(locked, person.id, accountId));
    if (member) return member;
    if (!(await this.invitations.isWaiting(locked, emailFolded, accountId))) return null;
    const { id: personId } = person ?? (await this.people.findOrAdd(locked, { id: uuidv7(), emailFolded }));
    return (await this.findMember(locked, personId, null)) ?? { personId, accountId: null };
  }

  private findMember(
    locked: LockedAccounts,
    personId: string,
    accountId: string | null,
  ): Promise<Member | null> {
    return accountId === null
      ? this.members.findLastSeen(locked, personId)
      : this.members.findToStay(locked, { accountId, personId });
  }

  /** An operator's link is for a member, or for an invited person. */
  private async signUp(
    locked: LockedAccounts,
    { emailFolded, accountId }: Recognized,
    network: string,
  ): Promise<Place | null> {
    if (!this.options.isSignUpOpen || accountId !== null) return null;
    const id = uuidv7();
    await this.ownAccounts.open(locked, id, { emailFolded, network });
    return this.members.firstOwner(locked, id);
  }
}
