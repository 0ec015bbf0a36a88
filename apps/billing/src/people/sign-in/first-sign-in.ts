import { type SessionView } from '#contracts';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { InvitationsRepository } from '../invitations/invitations.repository.js';
import { type Member } from '../records/member.entity.js';
import { MembersRepository } from '../records/members.repository.js';
import { type Session } from '../sessions/session.entity.js';
import { SessionsService, type SignedInBrowser } from '../sessions/sessions.service.js';
import { findOrAddPerson, findPerson } from '../records/people.js';
import { OwnAccounts, SIGN_IN_OPTIONS, type SignInOptions } from './own-accounts.js';

/** How a person was recognized, by which address. */
interface Recognized extends Pick<Session, 'method' | 'isAddressProven'> {
  readonly emailFolded: string;
  /** The account of an operator's link. */
  readonly accountId: string | null;
}

/** Who signs in, and to which account; `null`: to none yet. */
type Destination = Pick<Session, 'personId' | 'accountId'>;

/** Opens sessions for people who have been recognized; a first sign-in adds the person and, where sign-up is open, an account. */
@Injectable()
export class FirstSignIn {
  constructor(
    private readonly members: MembersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly ownAccounts: OwnAccounts,
    private readonly sessions: SessionsService,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  /**
   * Shows the account of the link or the one that the person used last, and no account to a person who has to answer an
   * invitation. `null`: they are no member and can't become one. The address is locked.
   */
  async open(locked: LockedAccounts, who: Recognized, browser: SignedInBrowser): Promise<SessionView | null> {
    const destination = (await this.find(locked, who)) ?? (await this.signUp(locked, who, browser.network));
    if (!destination) return null;
    const { personId, accountId } = destination;
    const { method, isAddressProven } = who;
    return this.sessions.open(locked, { personId, accountId, method, isAddressProven }, browser);
  }

  private async find(locked: LockedAccounts, who: Recognized): Promise<Destination | null> {
    const { emailFolded, accountId, isAddressProven } = who;
    const person = await findPerson(locked, emailFolded);
    const member = person && (await this.findMember(locked, person.id, accountId));
    if (member) return member;
    if (!isAddressProven || !(await this.invitations.isWaiting(locked, emailFolded, accountId))) return null;
    const { id: personId } = person ?? (await findOrAddPerson(locked, emailFolded));
    return (await this.findMember(locked, personId, null)) ?? { personId, accountId: null };
  }

  private findMember(
    locked: LockedAccounts,
    personId: string,
    accountId: string | null,
  ): Promise<Member | null> {
    return accountId === null
      ? this.members.findLastSeen(locked, personId)
      : this.members.findForShare(locked, { accountId, personId });
  }

  /** Operators' links open no accounts: they are for members and invited people. */
  private async signUp(
    locked: LockedAccounts,
    { emailFolded, accountId, isAddressProven }: Recognized,
    network: string,
  ): Promise<Destination | null> {
    if (!this.options.isSignUpOpen || accountId !== null || !isAddressProven) return null;
    const id = uuidv7();
    await this.ownAccounts.open(locked, id, emailFolded, network);
    return this.members.firstOwner(locked, id);
  }
}
