import {
  type ForgetIdentitiesRequest,
  ServiceError,
  type SessionView,
  type SignInWithIdentityRequest,
} from '#contracts';
import { counter } from '#platform';
import { type ChangeContext, type RemainingMs } from '#platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { lockAddress, requireEmail } from '../records/email-addresses.js';
import { IdentitiesRepository } from './identities.repository.js';
import { PeopleRepository } from '../records/people.repository.js';
import { type Person } from '../records/person.entity.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { FirstSignIn } from './first-sign-in.js';

const refused = counter(
  'identities_refused_total',
  'Sign-ins through the OpenID provider that were refused: the person of the address has another identity of it.',
);

/**
 * Sign-in with an identity of an OpenID provider. Its first use binds it to the person of its address. From then on it signs in
 * that person, whatever address the provider gives, and no other identity of the same issuer does.
 */
@Injectable()
export class IdentitySignIn {
  private readonly logger = new Logger(IdentitySignIn.name);

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly identities: IdentitiesRepository,
    private readonly people: PeopleRepository,
    private readonly sessions: SessionsService,
    private readonly sessionRecords: SessionsRepository,
    private readonly firstSignIn: FirstSignIn,
  ) {}

  /**
   * Throws `forbidden` when the person of the address has another identity, and when the address has no membership or invitation
   * and sign-up is closed.
   */
  async signIn(request: SignInWithIdentityRequest, remainingMs?: RemainingMs): Promise<SessionView> {
    const emailFolded = requireEmail(request.email);
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
  async forget({ email }: ForgetIdentitiesRequest, by: ChangeContext = {}): Promise<number> {
    const emailFolded = requireEmail(email);
    const forget = async (locked: LockedAccounts): Promise<number> => {
      await lockAddress(locked, emailFolded);
      const person = await this.people.find(locked, emailFolded);
      if (!person) throw new ServiceError('not_found', 'There is no person with this email address.');
      const forgotten = await this.identities.forget(locked, person.id);
      await this.sessionRecords.endOfPerson(locked, person.id);
      await locked.record({
        action: 'person.signed_out',
        subject: emailFolded,
        after: { identities_removed: forgotten },
      });
      return forgotten;
    };
    return this.transactions.run([], forget, by);
  }

  /** Locks the address of the identity's person, then reads the identity again: it may have been forgotten meanwhile. */
  private async findBound(
    locked: LockedAccounts,
    request: SignInWithIdentityRequest,
  ): Promise<Person | null> {
    const person = await this.identities.findPerson(locked, request);
    if (!person) return null;
    await lockAddress(locked, person.emailFolded);
    return this.identities.findPerson(locked, request);
  }

  /**
   * If the provider gives another address, they sign in only as a member: an invitation to the person's address may be for someone
   * else by now.
   */
  private async openBound(
    locked: LockedAccounts,
    { id, emailFolded }: Person,
    givenFolded: string,
    request: SignInWithIdentityRequest,
  ): Promise<SessionView | null> {
    const isAddressProven = emailFolded === givenFolded;
    const opened = await this.sessions.findOpened(locked, request.session_hash);
    if (opened) return opened;
    if (!isAddressProven) {
      this.logger.warn(`Person ${id}: ${request.issuer} gives an address other than theirs.`);
    }
    const who = { emailFolded, accountId: null, method: 'provider', isAddressProven } as const;
    const session = await this.firstSignIn.open(locked, who, request);
    if (session) await this.identities.markUsed(locked, request);
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
        `Person ${person.id}: refused another identity of ${request.issuer} with their address.`,
      );
      refused.inc();
      throw new ServiceError(
        'forbidden',
        'This email address already belongs to another person here. Contact an owner of the account or the operator of this service.',
      );
    }
    const who = { emailFolded, accountId: null, method: 'provider', isAddressProven: true } as const;
    const session = await this.firstSignIn.open(locked, who, request);
    if (session) await this.identities.bind(locked, request, session.person_id);
    return session;
  }
}
