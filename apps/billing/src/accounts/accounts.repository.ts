import { ServiceError } from '#contracts';
import { type Managed } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { conflict, notFound } from '../errors.js';
import { type LockedAccounts } from '../database/account-transactions.js';
import { MembersRepository } from '../people/records/members.repository.js';
import { Account } from './account.entity.js';

/** An account opened by sign-up is deleted if it was never used and none of its members was seen for this long. */
export const unusedForMs = 90 * 24 * 60 * 60 * 1_000;

/** `signedUpFrom`: the network of a sign-up; `null` for an account that an operator creates. */
export type NewAccount = Pick<Account, 'id' | 'name' | 'email' | 'signedUpFrom'>;

/** The accounts themselves, without their keys and credits. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly members: MembersRepository) {}

  /** Throws `not_found`. */
  async get({ manager }: Managed, id: string): Promise<Account> {
    const account = await this.find({ manager }, id);
    if (!account) throw noSuchAccount();
    return account;
  }

  find({ manager }: Managed, id: string): Promise<Account | null> {
    return manager.findOneBy(Account, { id });
  }

  /** For requests that a suspended account may not make. Throws `conflict` if it is suspended, and `not_found`. */
  async requireNotSuspended(on: Managed, id: string): Promise<void> {
    const { suspendedAt } = await this.get(on, id);
    if (suspendedAt === null) return;
    throw conflict('This account is suspended. Contact us to have it resumed.');
  }

  /** For requests that add credits. Throws `conflict` if the account is closed, and `not_found`. */
  async requireNotClosed(on: Managed, id: string): Promise<void> {
    if ((await this.get(on, id)).closedAt !== null) throw permanentlyClosed();
  }

  /** Adds an account, whose address becomes its owner. */
  async open(locked: LockedAccounts, account: NewAccount): Promise<Account> {
    const { manager, now: createdAt } = locked;
    const nextCheckAt = account.signedUpFrom === null ? null : new Date(createdAt.getTime() + unusedForMs);
    await manager.insert(Account, { ...account, createdAt, nextCheckAt });
    await this.members.addFirstOwner(locked, account.id, account.email);
    return this.get(locked, account.id);
  }
}

export function permanentlyClosed(): ServiceError {
  return conflict('This account is permanently closed.');
}

export function noSuchAccount(): ServiceError {
  return notFound('There is no account with this id.');
}
