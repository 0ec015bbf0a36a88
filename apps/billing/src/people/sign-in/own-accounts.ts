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
import { type Person } from '../records/person.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** Injection token of `SignInOptions`. */
export const SIGN_IN_OPTIONS = Symbol('SIGN_IN_OPTIONS');

/** Who may sign in, from the configuration of the service. */
export interface SignInOptions {
  /** Whether an unknown address that signs in gets an account. */
  readonly isSignUpOpen: boolean;
}

/** A person's address, and the network from which they open an account. */
interface SignUp {
  readonly emailFolded: string;
  readonly network: string;
}

type KnownPerson = Pick<Person, 'id' | 'emailFolded'>;

/** Accounts that an IPv4 address or a /64 may open in 24 hours; a /56 and a /48 may open four and sixteen times as many. */
const signUpsMax = 20;
const timesOfLevel = [1, 4, 16] as const;
/** Digits of a /64, a /56 and a /48 in `storedNetwork`. */
const digitsOfLevel = [16, 14, 12] as const;

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
  async open(locked: LockedAccounts, id: string, { emailFolded, network }: SignUp): Promise<void> {
    const signedUpFrom = storedNetwork(network);
    await refuseTooMany(locked, signedUpFrom);
    const name = emailFolded.slice(0, accountNameLengthMax);
    await this.accounts.open(locked, { id, name, email: emailFolded, signedUpFrom });
  }

  /** Whether the person may open an account and does not own one of their address yet. */
  async canOpen({ query }: Queryable, { id, emailFolded }: KnownPerson): Promise<boolean> {
    if (!this.options.isSignUpOpen) return false;
    return (await query('find own account', ownAccountSql, [id, emailFolded])).length === 0;
  }

  /** The invitations of a signed-in person, and whether they may open an account. */
  async offers(sessionHash: string): Promise<OwnInvitations> {
    const session = await this.sessions.get(this.database, sessionHash);
    const { person_id: id, email: emailFolded, is_address_proven: isProven } = session;
    const received = isProven ? await this.invitations.received(this.database, emailFolded) : [];
    return {
      invitations: received.map((row) => ({ ...row, expires_at: row.expires_at.toISOString() })),
      can_open_account: isProven && (await this.canOpen(this.database, { id, emailFolded })),
    };
  }

  /**
   * For a person who has signed in. Throws `forbidden` unless sign-up is open, `conflict` for a second account, `rate_limited` for too
   * many from a network.
   */
  openAnother(
    { session_hash: tokenHash, account_id }: OpenAccountRequest,
    by: ChangeContext = {},
  ): Promise<SessionView> {
    const open = async (locked: LockedAccounts): Promise<SessionView> => {
      const session = await this.sessions.get(locked, tokenHash);
      const { id, person_id, email: emailFolded, network, is_address_proven: isProven } = session;
      if (!isProven) {
        throw forbidden('Your company uses another email address for you. Sign in by email first.');
      }
      if (!this.options.isSignUpOpen) {
        throw forbidden('Only the operator of this service can create accounts.');
      }
      await lockAddress(locked, emailFolded);
      if (!(await this.canOpen(locked, { id: person_id, emailFolded }))) {
        throw conflict('You already have your own account.');
      }
      await this.open(locked, account_id, { emailFolded, network });
      return this.sessions.moveTo(locked, { id, tokenHash }, account_id);
    };
    return this.transactions.run([], open, by);
  }
}

/** Locks the network until the end of the transaction, so that parallel sign-ups from it are counted one by one. */
async function refuseTooMany({ query, now }: LockedAccounts, stored: string): Promise<void> {
  const levels = levelsOf(stored);
  await query('lock network', lockNetworkSql, [levels.at(-1)]);
  for (const [level, pattern] of levels.entries()) {
    const [row] = await query<{ opened: number }>('count sign-ups', countSignUpsSql, [pattern, now]);
    if ((row?.opened ?? 0) < signUpsMax * (timesOfLevel[level] ?? 1)) continue;
    throw rateLimited('Too many accounts were created from your network today. Try again tomorrow.');
  }
}

/** An IPv4 address as it is, an IPv6 /64 as its 16 digits, so that the larger networks are its prefixes. */
function storedNetwork(network: string): string {
  if (!network.includes(':') || network.includes('.')) return network;
  return network
    .split(':')
    .map((group) => group.padStart(4, '0'))
    .join('');
}

/** The network and the larger ones that contain it, smallest first, as patterns of `LIKE`. */
function levelsOf(stored: string): string[] {
  if (!/^[0-9a-f]{16}$/.test(stored)) return [stored.replaceAll(/[\\%_]/g, String.raw`\$&`)];
  return digitsOfLevel.map((digits) => (digits === 16 ? stored : `${stored.slice(0, digits)}%`));
}
