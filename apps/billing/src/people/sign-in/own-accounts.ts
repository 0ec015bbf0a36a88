import {
  accountNameLengthMax,
  type OpenAccountRequest,
  type OwnInvitations,
  type SessionView,
} from '#contracts';
import { type ChangeContext, type Queryable, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { conflict, forbidden, rateLimited } from '../../errors.js';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { InvitationsRepository } from '../invitations/invitations.repository.js';
import { lockAddress } from '../records/people.js';
import { type SessionRow, SessionsService } from '../sessions/sessions.service.js';

/** Injection token of `SignInOptions`. */
export const SIGN_IN_OPTIONS = Symbol('SIGN_IN_OPTIONS');

/** Who may sign in, from the configuration of the service. */
export interface SignInOptions {
  /** Whether an unknown address that signs in gets an account. */
  readonly isSignUpOpen: boolean;
}

/** Accounts that an IPv4 address or a /64 may open in 24 hours. */
const signUpsMax = 20;
/** The same for a /64 and the /56 and /48 around it, by the digits of each in `storedNetwork`. */
const ipv6Levels = [
  { digits: 16, max: signUpsMax },
  { digits: 14, max: 4 * signUpsMax },
  { digits: 12, max: 16 * signUpsMax },
];

/** Served by `members_of_person`. */
const ownAccountSql = `
  SELECT FROM members JOIN accounts ON accounts.id = members.account_id
  WHERE members.person_id = $1 AND members.role = 'owner' AND accounts.email = $2 LIMIT 1`;

const lockNetworkSql = `SELECT pg_advisory_xact_lock(hashtextextended('sign-ups ' || $1, 0))`;

/** Served by `accounts_signed_up`. Accounts that operators create have no network, and do not count. */
const countSignUpsSql = `
  SELECT count(*)::integer AS opened FROM accounts
  WHERE signed_up_from LIKE $1 AND created_at > $2::timestamptz - interval '24 hours'`;

/** Accounts that a signed-in person may open or join: their own, where sign-up is open, and those of their invitations. */
@Injectable()
export class OwnAccounts {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly sessions: SessionsService,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly invitations: InvitationsRepository,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  /** A new account, named after its address, which becomes its owner. The address is locked. Throws `rate_limited`. */
  async open(locked: LockedAccounts, id: string, email: string, network: string): Promise<void> {
    const signedUpFrom = storedNetwork(network);
    await refuseTooMany(locked, signedUpFrom);
    await this.accounts.open(locked, { id, name: email.slice(0, accountNameLengthMax), email, signedUpFrom });
  }

  /** The invitations of a signed-in person, and whether they may open an account. */
  async offers(sessionHash: string): Promise<OwnInvitations> {
    const session = await this.sessions.get(this.database, sessionHash);
    if (!session.is_address_proven) return { invitations: [], can_open_account: false };
    const invitations = await this.invitations.received(this.database, session.email);
    const canOpen = this.options.isSignUpOpen && !(await hasOwn(this.database, session));
    return { invitations, can_open_account: canOpen };
  }

  /**
   * For a person who has signed in. Throws `forbidden` unless sign-up is open, `conflict` for a second account, `rate_limited` for too
   * many from a network.
   */
  openAnother(request: OpenAccountRequest, by: ChangeContext): Promise<SessionView> {
    const { session_hash: tokenHash, account_id } = request;
    const open = async (locked: LockedAccounts): Promise<SessionView> => {
      const session = await this.sessions.get(locked, tokenHash);
      if (!session.is_address_proven) {
        throw forbidden('Your company uses another email address for you. Sign in by email first.');
      }
      if (!this.options.isSignUpOpen) {
        throw forbidden('Only the operator of this service can create accounts.');
      }
      await lockAddress(locked, session.email);
      if (await hasOwn(locked, session)) throw conflict('You already have your own account.');
      await this.open(locked, account_id, session.email, session.network);
      return this.sessions.moveTo(locked, { id: session.id, tokenHash }, account_id);
    };
    return this.transactions.run([], open, by);
  }
}

/** Whether the person owns an account of their address. */
async function hasOwn({ query }: Queryable, { person_id, email }: SessionRow): Promise<boolean> {
  return (await query('find own account', ownAccountSql, [person_id, email])).length > 0;
}

/** Locks the network until the end of the transaction, so that parallel sign-ups from it are counted one by one. */
async function refuseTooMany({ query, now }: LockedAccounts, stored: string): Promise<void> {
  const levels = /^[0-9a-f]{16}$/.test(stored)
    ? ipv6Levels.map(({ digits, max }) => ({ pattern: `${stored.slice(0, digits)}%`, max }))
    : [{ pattern: stored, max: signUpsMax }];
  await query('lock network', lockNetworkSql, [levels.at(-1)?.pattern]);
  for (const { pattern, max } of levels) {
    const [row] = await query<{ opened: number }>('count sign-ups', countSignUpsSql, [pattern, now]);
    if ((row?.opened ?? 0) < max) continue;
    throw rateLimited('Too many accounts were created from your network today. Try again tomorrow.');
  }
}

/** An IPv4 address as it is, an IPv6 /64 as its 16 digits, so that the larger networks are its prefixes. */
function storedNetwork(network: string): string {
  if (!network.includes(':')) return network;
  return network
    .split(':')
    .map((group) => group.padStart(4, '0'))
    .join('');
}
