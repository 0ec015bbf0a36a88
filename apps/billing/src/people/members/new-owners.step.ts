import { type Queryable, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { MembersRepository } from '../records/members.repository.js';
import { AccountSweepStep } from '../../schedule/tasks/account-sweep-step.js';

/** Served by `accounts_page` and `members_pk`. */
const withoutMembersSql = `
  SELECT id FROM accounts
  WHERE created_at > (SELECT ledger_now()) - interval '1 hour' AND id <> ALL($2::uuid[])
    AND NOT EXISTS (SELECT FROM members WHERE members.account_id = accounts.id)
  ORDER BY created_at LIMIT $1`;

/**
 * Gives an owner to accounts created by a replica of an older version, which has no members: during a roll-out it still creates
 * accounts after the migration that added the owners.
 */
@Injectable()
export class NewOwnersStep extends AccountSweepStep {
  readonly name = 'new owners';
  private readonly database: Queryable;

  constructor(
    transactions: AccountTransactions,
    database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly members: MembersRepository,
  ) {
    super(transactions);
    this.database = database;
  }

  protected async due(batchSize: number, except: string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'select accounts without members',
      withoutMembersSql,
      [batchSize, except],
    );
    return rows.map(({ id }) => id);
  }

  protected async apply(locked: LockedAccounts): Promise<number> {
    let added = 0;
    for (const id of locked.accountIds) {
      if ((await this.members.count(locked, id)) > 0) continue;
      const { email } = await this.accounts.get(locked, id);
      if (await this.members.ensureFirstOwner(locked, id, email)) added += 1;
    }
    return added;
  }
}
