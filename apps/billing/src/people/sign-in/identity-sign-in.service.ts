import {
  foldEmail,
  type ForgetIdentitiesRequest,
  ServiceError,
  type SessionView,
  type SignInWithIdentityRequest,
} from '@app/contracts';
import { counter } from '@app/platform';
import { type RemainingMs } from '@app/platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { invalidEmail } from '../records/invalid-email.js';
import { IdentitiesRepository } from '../records/identities.repository.js';
import { lockAddress } from '../records/lock-address.js';
import { PeopleRepository } from '../records/people.repository.js';
import { type Person } from '../records/person.entity.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { Welcome } from './welcome.js';

const refused = counter(
  'identities_refused_total',
  'Sign-ins through the OpenID provider with the address of a person who is bound to another of its identities.',
);

/**
 * Sign-in with an identity that an OpenID provider vouches for. At its first use it is bound to the person of its address; from then
 * on it is that person, and no other identity of the same issuer is, whatever addresses the provider gives.
 */
@Injectable()
export class IdentitySignIn {
  private readonly logger = new Logger(IdentitySignIn.name);

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly identities: IdentitiesRepository,
    private readonly people: PeopleRepository,
    private readonly sessions: SessionsRepository,
    private readonly welcome: Welcome,
  ) {}

  /**
   * Throws `forbidden` when the address is that of a person with another identity, and when it is no member's, was not invited and
   * nobody may sign up.
   */
  async signIn(request: SignInWithIdentityRequest, remainingMs?: RemainingMs): Promise<SessionView> {
    const emailFolded = foldEmail(request.email);
    if (emailFolded === null) throw invalidEmail(request.email);
    const open = async (locked: LockedAccounts): Promise<SessionView | null> => {
      await this.identities.lock(locked, request);
      const bound = await this.findBound(locked, request);
      return bound
        ? this.openBound(locked, bound, emailFolded, request)
        : this.bind(locked, emailFolded, request);
    };
    const session = await this.transactions.run([], open, { remainingMs });
    if (!session) throw new ServiceError('forbidden', 'No account has a member with this email address.');
    const { issuer, subject } = request;
    this.logger.log(`Session ${session.session_id}: signed in by ${issuer}, subject ${subject}.`);
    return session;
  }

  /** Also ends the person's sessions. Resolves to how many identities were forgotten. Throws `not_found`. */
  forget({ email }: ForgetIdentitiesRequest): Promise<number> {
    const emailFolded = foldEmail(email);
    if (emailFolded === null) throw invalidEmail(email);
    return this.transactions.run([], async (locked) => {
      await lockAddress(locked, emailFolded);
      const person = await this.people.find(locked, emailFolded);
      if (!person) throw new ServiceError('not_found', 'There is no person with this address.');
      const forgotten = await this.identities.forget(locked, person.id);
      await this.sessions.endOfPerson(locked, person.id);
      return forgotten;
    });
  }

  /** The person of the identity, whose address is locked then. It may have been forgotten until the lock. */
  private async findBound(
    locked: LockedAccounts,
    request: SignInWithIdentityRequest,
  ): Promise<Person | null> {
    const person = await this.identities.findPerson(locked, request);
    if (!person) return null;
    await lockAddress(locked, person.emailFolded);
    return this.identities.findPerson(locked, request);
  }

  /** As a member only, when the provider has another address for them: what waits for the person's may be for somebody else. */
  private async openBound(
    locked: LockedAccounts,
    { id, emailFolded }: Person,
    givenFolded: string,
    request: SignInWithIdentityRequest,
  ): Promise<SessionView | null> {
    const isAddressProven = emailFolded === givenFolded;
    const opened = await this.welcome.again(locked, request.session_hash);
    if (opened) return opened;
    if (!isAddressProven) {
      this.logger.warn(`Person ${id}: ${request.issuer} gives another address for them than theirs.`);
    }
    const who = { emailFolded, accountId: null, method: 'provider', isAddressProven } as const;
    const session = await this.welcome.open(locked, who, request);
    if (session) await this.identities.noteUsed(locked, request);
    return session;
  }

  private async bind(
    locked: LockedAccounts,
    emailFolded: string,
    request: SignInWithIdentityRequest,
  ): Promise<SessionView | null> {
    await lockAddress(locked, emailFolded);
    const person = await this.people.find(locked, emailFolded);
    if (person && (await this.identities.isBound(locked, person.id, request.issuer))) {
      this.logger.warn(
        `Person ${person.id}: refused to another identity of ${request.issuer} with their address.`,
      );
      refused.inc();
      throw new ServiceError(
        'forbidden',
        'This email address already belongs to another person here. Contact an owner of the account or the operator of this service.',
      );
    }
    const who = { emailFolded, accountId: null, method: 'provider', isAddressProven: true } as const;
    const session = await this.welcome.open(locked, who, request);
    if (session) await this.identities.bind(locked, request, session.person_id);
    return session;
  }
}
