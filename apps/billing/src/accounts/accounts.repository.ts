import { ServiceError } from '@app/contracts';
import { type Managed } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { reportsPool } from '../database/data-source.js';
import { Account } from './account.entity.js';

/** It asks nothing of a sign-in. */
export type NewAccount = Omit<Account, 'providerOnly' | 'sessionHours'>;

/** The accounts themselves, without their keys and credits. */
@Injectable()
export class AccountsRepository {
  constructor(@InjectRepository(Account, reportsPool) private readonly accounts: Repository<Account>) {}

  /** Newest first, at most `limit` after the position; served by `accounts_page`. */
  page(limit: number, after: string[] | null): Promise<Account[]> {
    const page = this.accounts
      .createQueryBuilder('account')
      .orderBy('account.createdAt', 'DESC')
      .addOrderBy('account.id', 'DESC')
      .limit(limit);
    if (after) {
      const [createdAt, id] = after;
      page.where('(account.createdAt, account.id) < (:createdAt, :id)', { createdAt, id });
    }
    return page.getMany();
  }

  /** Throws `not_found`. */
  async get({ manager }: Managed, id: string): Promise<Account> {
    const account = await this.find({ manager }, id);
    if (!account) throw noSuchAccount();
    return account;
  }

  find({ manager }: Managed, id: string): Promise<Account | null> {
    return manager.findOneBy(Account, { id });
  }

  async rename({ manager }: Managed, id: string, name: string): Promise<void> {
    await manager.update(Account, { id }, { name });
  }

  async changeRules(
    { manager }: Managed,
    id: string,
    rules: Partial<Pick<Account, 'providerOnly' | 'sessionHours'>>,
  ): Promise<void> {
    if (Object.keys(rules).length > 0) await manager.update(Account, { id }, rules);
  }

  async insert({ manager }: Managed, account: NewAccount): Promise<void> {
    await manager.insert(Account, account);
  }
}

export function noSuchAccount(): ServiceError {
  return new ServiceError('not_found', 'There is no account with this id.');
}
