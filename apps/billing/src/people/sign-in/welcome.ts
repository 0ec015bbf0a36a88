import { type SessionMethod, type SessionView } from '@app/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { InvitationsRepository } from '../records/invitations.repository.js';
import { JoinDomainsRepository } from '../records/join-domains.repository.js';
import { type Member } from '../records/member.entity.js';
import { MembersRepository } from '../records/members.repository.js';
import { PeopleRepository } from '../records/people.repository.js';
import { type NewSession } from '../sessions/sessions.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { OwnAccounts } from './own-accounts.js';
import { SIGN_IN_OPTIONS, type SignInOptions } from './sign-in-options.js';

/** The person of an address who has been recognized, how, and the account of an operator's link. */
interface Recognized {
  readonly emailFolded: string;
  readonly accountId: string | null;
  readonly method: SessionMethod;
  /** `false`: the address may be somebody else's now, so nothing that waits for it counts. */
  readonly isAddressProven: boolean;
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
    private readonly joinDomains: JoinDomainsRepository,
    private readonly ownAccounts: OwnAccounts,
    private readonly sessions: SessionsService,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  /** The session that an earlier delivery of the same message has opened. */
  again(locked: LockedAccounts, sessionHash: string): Promise<SessionView | null> {
    return this.sessions.findOpened(locked, sessionHash);
  }

  /**
   * In the account of the link, or in the one that the person used last, unless that asks for another sign-in and another does not;
   * without an account for a person who has an invitation to answer or may join one; `null` when they are no member and can't become
   * one. The address is locked.
   */
  async open(locked: LockedAccounts, who: Recognized, browser: Browser): Promise<SessionView | null> {
    const place = (await this.find(locked, who)) ?? (await this.signUp(locked, who, browser.network));
    if (!place) return null;
    const session = {
      id: uuidv7(),
      personId: place.personId,
      accountId: place.accountId,
      tokenHash: browser.session_hash,
      network: browser.network,
      userAgent: browser.user_agent,
      method: who.method,
      isAddressProven: who.isAddressProven,
    };
    const view = await this.sessions.open(locked, session);
    return view.withheld && who.accountId === null ? this.showAnother(locked, session, view) : view;
  }

  /** The session then shows an account that asks for nothing, if the person has one. */
  private async showAnother(
    locked: LockedAccounts,
    session: Pick<NewSession, 'id' | 'tokenHash' | 'personId'>,
    view: SessionView,
  ): Promise<SessionView> {
    for (const { id: accountId } of view.accounts.filter(({ asks }) => asks === undefined)) {
      const isMember = await this.members.findToStay(locked, { accountId, personId: session.personId });
      if (isMember) return this.sessions.moveTo(locked, session, accountId);
    }
    return view;
  }

  private async find(locked: LockedAccounts, who: Recognized): Promise<Place | null> {
    const { emailFolded, accountId, isAddressProven } = who;
    const person = await this.people.find(locked, emailFolded);
    const member = person && (await this.findMember(locked, person.id, accountId));
    if (member) return member;
    if (!isAddressProven || !(await this.isAwaited(locked, emailFolded, accountId))) return null;
    const { id: personId } = person ?? (await this.people.findOrAdd(locked, { id: uuidv7(), emailFolded }));
    return (await this.findMember(locked, personId, null)) ?? { personId, accountId: null };
  }

  /** An account waits for the person of the address. */
  private async isAwaited(
    locked: LockedAccounts,
    emailFolded: string,
    accountId: string | null,
  ): Promise<boolean> {
    if (await this.invitations.isWaiting(locked, emailFolded, accountId)) return true;
    return accountId === null && this.joinDomains.isAny(locked, emailFolded);
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
    { emailFolded, accountId, isAddressProven }: Recognized,
    network: string,
  ): Promise<Place | null> {
    if (!this.options.isSignUpOpen || accountId !== null || !isAddressProven) return null;
    const id = uuidv7();
    await this.ownAccounts.open(locked, id, { emailFolded, network });
    return this.members.firstOwner(locked, id);
  }
}
