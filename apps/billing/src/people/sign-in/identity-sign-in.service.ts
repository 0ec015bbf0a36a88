import { type ForgetIdentitiesRequest, type SessionView, type SignInWithIdentityRequest } from '#contracts';
import { counter } from '#platform';
import { type ChangeContext, type Managed } from '#platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { forbidden, notFound } from '../../errors.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { findPerson, lockAddress, requireEmail } from '../records/people.js';
import { Person } from '../records/person.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { FirstSignIn } from './first-sign-in.js';
import { Identity } from './identity.entity.js';

const refused = counter(
  'identities_refused_total',
  'Sign-ins through the OpenID provider that were refused: the person of the address has another identity of it.',
);

/** Until the transaction ends, no other one binds the identity. Comes before the lock of an address. */
const lockSql = `SELECT pg_advisory_xact_lock(hashtextextended('identity ' || $1 || ' ' || $2, 0))`;

/**
 * Sign-in with an identity of an OpenID provider. Its first use binds it to the person of its address. From then on it signs in
 * that person, whatever address the provider gives, and no other identity of the same issuer does. Identities are bound and forgotten
 * under the lock of their person's address.
 */
@Injectable()
export class IdentitySignIn {
  private readonly logger = new Logger(IdentitySignIn.name);

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly sessions: SessionsService,
    private readonly firstSignIn: FirstSignIn,
  ) {}

  /**
   * Throws `forbidden` when the person of the address has another identity, and when the address has no membership or invitation
   * and sign-up is closed.
   */
  async signIn(request: SignInWithIdentityRequest, by: ChangeContext): Promise<SessionView> {
    const { issuer, subject } = request;
    const session = await this.transactions.run([], (locked) => this.open(locked, request), by);
    if (!session) throw forbidden('No account has a member with this email address.');
    this.logger.log(`Session ${session.session_id}: signed in by ${issuer}, subject ${subject}.`);
    return session;
  }

  /** Forgets the identities of a person and ends their sessions; returns the number of identities. Throws `not_found`. */
  async forget({ email }: ForgetIdentitiesRequest, by: ChangeContext): Promise<number> {
    const emailFolded = requireEmail(email);
    const forget = async (locked: LockedAccounts): Promise<number> => {
      await lockAddress(locked, emailFolded);
      const person = await findPerson(locked, emailFolded);
      if (!person) throw notFound('There is no person with this email address.');
      const { affected } = await locked.manager.delete(Identity, { personId: person.id });
      const forgotten = affected ?? 0;
      await this.sessions.endAll(locked, { personId: person.id });
      await locked.record({
        action: 'person.signed_out',
        subject: emailFolded,
        after: { identities_removed: forgotten },
      });
      return forgotten;
    };
    return this.transactions.run([], forget, by);
  }

  /**
   * If the provider gives another address than the person's, they sign in only as a member: an invitation to their address may be for
   * someone else by now.
   */
  private async open(
    locked: LockedAccounts,
    request: SignInWithIdentityRequest,
  ): Promise<SessionView | null> {
    const { manager, now } = locked;
    const { issuer, subject, session_hash } = request;
    const given = requireEmail(request.email);
    await locked.query('lock identity', lockSql, [issuer, subject]);
    const bound = await this.findBound(locked, request);
    if (!bound) await this.refuseSecond(locked, issuer, given);
    const opened = await this.sessions.findOpened(locked, session_hash);
    if (opened) return opened;
    const emailFolded = bound?.emailFolded ?? given;
    const isAddressProven = emailFolded === given;
    if (bound && !isAddressProven) {
      this.logger.warn(`Person ${bound.id}: ${issuer} gives an address other than theirs.`);
    }
    const who = { emailFolded, accountId: null, method: 'provider', isAddressProven } as const;
    const session = await this.firstSignIn.open(locked, who, request);
    if (session) {
      const identity = { issuer, subject, personId: session.person_id };
      if (bound) await manager.update(Identity, identity, { lastUsedAt: now });
      else await manager.insert(Identity, { ...identity, boundAt: now, lastUsedAt: now });
    }
    return session;
  }

  /** Locks the address of the identity's person, then reads the identity again: it may have been forgotten meanwhile. */
  private async findBound(
    locked: LockedAccounts,
    request: SignInWithIdentityRequest,
  ): Promise<Person | null> {
    const person = await personOf(locked, request);
    if (!person) return null;
    await lockAddress(locked, person.emailFolded);
    return personOf(locked, request);
  }

  /** Locks the address. Throws `forbidden` when its person has another identity of the issuer. */
  private async refuseSecond(locked: LockedAccounts, issuer: string, emailFolded: string): Promise<void> {
    await lockAddress(locked, emailFolded);
    const person = await findPerson(locked, emailFolded);
    if (!person || !(await locked.manager.existsBy(Identity, { personId: person.id, issuer }))) return;
    this.logger.warn(`Person ${person.id}: refused another identity of ${issuer} with their address.`);
    refused.inc();
    throw forbidden(
      'This email address already belongs to another person here. Contact an owner of the account or the operator of this service.',
    );
  }
}

async function personOf(
  { manager }: Managed,
  { issuer, subject }: SignInWithIdentityRequest,
): Promise<Person | null> {
  const identity = await manager.findOneBy(Identity, { issuer, subject });
  return identity && manager.findOneBy(Person, { id: identity.personId });
}
