import {
  type AccountDetail,
  type AccountView,
  type CreateAccountRequest,
  type Page,
  type PageRequest,
} from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { decodeCursor, encodeCursor, isTime } from '../database/cursor.js';
import { readingFrom } from '../database/query.js';
import { onSnapshot } from '../database/snapshot.js';
import { balanceAt, balancesAt } from '../ledger/balance.repository.js';
import { isId } from '../ledger/charge-request.js';
import { type AccountRow, findAccount, insertAccount, pageOfAccounts } from './accounts.repository.js';
import { lotsOfAccount } from './lot-view.js';

const cursorParts = [isTime, isId];
const snapshotTimeoutMs = 4_000;

/** Accounts with their balances, exact as of the instant of the call. */
@Injectable()
export class AccountsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async create({ name, email }: CreateAccountRequest): Promise<AccountView> {
    return toView(await insertAccount(readingFrom(this.dataSource), uuidv7(), name, email), 0);
  }

  /** Newest first. */
  async list({ limit, cursor }: PageRequest): Promise<Page<AccountView>> {
    const query = readingFrom(this.dataSource);
    const after = cursor === undefined ? null : decodeCursor(cursor, cursorParts);
    const rows = await pageOfAccounts(query, limit + 1, after);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const balances = await balancesAt(
      query,
      page.map(({ id }) => id),
    );
    return {
      items: page.map((row) => toView(row, balances.get(row.id) ?? 0)),
      next_cursor: last ? encodeCursor([last.created_at.toISOString(), last.id]) : null,
    };
  }

  /** Raises `not_found`. The lots and the balance are of one instant. */
  show(accountId: string): Promise<AccountDetail> {
    return onSnapshot(this.dataSource, snapshotTimeoutMs, async (query) => {
      const row = await findAccount(query, accountId);
      const [clock] = await query<{ now: Date }>('SELECT ledger_now() AS now');
      if (!clock) throw new Error('ledger_now() gave no row');
      return {
        ...toView(row, await balanceAt(query, accountId, clock.now)),
        lots: await lotsOfAccount(query, accountId, clock.now),
      };
    });
  }
}

function toView(row: AccountRow, creditsRemaining: number): AccountView {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    created_at: row.created_at.toISOString(),
    credits_remaining: creditsRemaining,
  };
}
