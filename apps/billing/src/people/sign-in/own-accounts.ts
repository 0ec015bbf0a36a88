import { ServiceError } from '@app/contracts';
import { type Queryable } from '@app/platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { unusedForMs } from '../../accounts/unused-for.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { Owners } from '../records/owners.js';
import { type Person } from '../records/person.entity.js';
import { SIGN_IN_OPTIONS, type SignInOptions } from './sign-in-options.js';
import { SignInsRepository } from './sign-ins.repository.js';
import { SignUpBounds } from './sign-up-bounds.js';

/** Who opens an account, and where. */
interface SignUp {
  readonly emailFolded: string;
  readonly network: string;
}

type KnownPerson = Pick<Person, 'id' | 'emailFolded'>;

const nameLengthMax = 200;

/** Served by `members_of_person`. */
const ownAccountSql = `
  SELECT FROM members JOIN accounts ON accounts.id = members.account_id
  WHERE members.person_id = $1 AND members.role = 'owner' AND accounts.email = $2 LIMIT 1`;

/** Accounts that people open for their own address, where sign-up is open. */
@Injectable()
export class OwnAccounts {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly owners: Owners,
    private readonly signIns: SignInsRepository,
    private readonly bounds: SignUpBounds,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
  ) {}

  /** A new account, named by its address, with this owner. The address is locked. Throws `rate_limited` (`SignUpBounds`). */
  async open(locked: LockedAccounts, id: string, { emailFolded, network }: SignUp): Promise<void> {
    const name = emailFolded.slice(0, nameLengthMax);
    const signedUpFrom = await this.bounds.admit(locked, network);
    const nextCheckAt = new Date(locked.now.getTime() + unusedForMs);
    const opened = { createdAt: locked.now, signedUpFrom, nextCheckAt, owesSince: null };
    await this.accounts.insert(locked, { id, name, email: emailFolded, ...opened });
    await this.owners.makeFirst(locked, id, emailFolded);
  }

  /** Whether the person may have an account and does not own one of their address yet. */
  async canOpen({ query }: Queryable, { id, emailFolded }: KnownPerson): Promise<boolean> {
    if (!this.options.isSignUpOpen) return false;
    return (await query('find own account', ownAccountSql, [id, emailFolded])).length === 0;
  }

  /** For a person who is known already. Throws `forbidden` unless sign-up is open, and `conflict` for a second one. */
  async openAnother(locked: LockedAccounts, person: KnownPerson & SignUp, id: string): Promise<void> {
    if (!this.options.isSignUpOpen) {
      throw new ServiceError('forbidden', 'Only the operator of this service can create accounts.');
    }
    await this.signIns.lockAddress(locked, person.emailFolded);
    if (!(await this.canOpen(locked, person))) {
      throw new ServiceError('conflict', 'You already have your own account.');
    }
    await this.open(locked, id, person);
  }
}
