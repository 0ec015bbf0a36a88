import { ServiceError } from '#contracts';
import { type Queryable } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { lockAddress } from '../records/email-addresses.js';
import { type Person } from '../records/person.entity.js';

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

const nameLengthMax = 200;

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

/** Accounts that people open for their own address, where sign-up is open. */
@Injectable()
export class OwnAccounts {
  constructor(
    private readonly accounts: AccountsRepository,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  /** A new account, named after its address, which becomes its owner. The address is locked. Throws `rate_limited`. */
  async open(locked: LockedAccounts, id: string, { emailFolded, network }: SignUp): Promise<void> {
    const signedUpFrom = storedNetwork(network);
    await refuseTooMany(locked, signedUpFrom);
    const name = emailFolded.slice(0, nameLengthMax);
    await this.accounts.open(locked, { id, name, email: emailFolded, signedUpFrom });
  }

  /** Whether the person may open an account and does not own one of their address yet. */
  async canOpen({ query }: Queryable, { id, emailFolded }: KnownPerson): Promise<boolean> {
    if (!this.options.isSignUpOpen) return false;
    return (await query('find own account', ownAccountSql, [id, emailFolded])).length === 0;
  }

  /** For a person who has signed in before. Throws `forbidden` unless sign-up is open, and `conflict` for a second account. */
  async openAnother(locked: LockedAccounts, person: KnownPerson & SignUp, id: string): Promise<void> {
    if (!this.options.isSignUpOpen) {
      throw new ServiceError('forbidden', 'Only the operator of this service can create accounts.');
    }
    await lockAddress(locked, person.emailFolded);
    if (!(await this.canOpen(locked, person))) {
      throw new ServiceError('conflict', 'You already have your own account.');
    }
    await this.open(locked, id, person);
  }
}

/** Locks the network until the end of the transaction, so that parallel sign-ups from it are counted one by one. */
async function refuseTooMany({ query, now }: LockedAccounts, stored: string): Promise<void> {
  const levels = levelsOf(stored);
  await query('lock network', lockNetworkSql, [levels.at(-1)]);
  for (const [level, pattern] of levels.entries()) {
    const [row] = await query<{ opened: number }>('count sign-ups', countSignUpsSql, [pattern, now]);
    if ((row?.opened ?? 0) < signUpsMax * (timesOfLevel[level] ?? 1)) continue;
    throw new ServiceError(
      'rate_limited',
      'Too many accounts were created from your network today. Try again tomorrow.',
    );
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
