import {
  type AccountDetail,
  type AccountView,
  type CreateAccountReply,
  type CreateAccountRequest,
  isId,
  type Page,
  type PageRequest,
} from '@app/contracts';
import { type RemainingMs } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { decodeCursor, encodeCursor, isTime } from '../database/cursor.js';
import { reportsPool } from '../database/data-source.js';
import { type LockedAccounts, withLockedAccounts } from '../database/locked-accounts.js';
import { autocommitQuery } from '../database/query.js';
import { onSnapshot } from '../database/snapshot.js';
import { balanceAt, balancesAt } from '../ledger/balance.repository.js';
import { claimIdempotencyKey } from '../idempotency/idempotency-keys.repository.js';
import {
  type AccountRow,
  findAccount,
  findAccountIfAny,
  insertAccount,
  pageOfAccounts,
} from './accounts.repository.js';
import { lotsOfAccount } from './lot-view.js';

const cursorParts = [isTime, isId];
const snapshotTimeoutMs = 4_000;

/** Accounts with their balances, exact as of the instant of the call. */
@Injectable()
export class AccountsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectDataSource(reportsPool) private readonly reports: DataSource,
  ) {}

  /**
   * Makes one account for an Idempotency-Key, however often and by however many it is asked for. Throws `conflict` when that
   * was for another name or address.
   */
  create(request: CreateAccountRequest, remainingMs?: RemainingMs): Promise<CreateAccountReply> {
    const create = (locked: LockedAccounts) => createOnce(locked, request);
    return withLockedAccounts(this.dataSource, [request.account_id], create, { remainingMs });
  }

  /** Newest first. */
  async list({ limit, cursor }: PageRequest): Promise<Page<AccountView>> {
    const query = autocommitQuery(this.reports);
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

  /** Throws `not_found`. The lots and the balance are of one instant. */
  show(accountId: string): Promise<AccountDetail> {
    return onSnapshot(this.reports, { timeoutMs: snapshotTimeoutMs }, async (query) => {
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

async function createOnce(
  { query, now }: LockedAccounts,
  { account_id: newId, name, email, idempotency_key: idempotencyKey }: CreateAccountRequest,
): Promise<CreateAccountReply> {
  const creation = { scope: 'accounts', idempotencyKey, content: [name, email], newId };
  const { id } = await claimIdempotencyKey(query, creation, now);
  const row = (await findAccountIfAny(query, id)) ?? (await insertAccount(query, newId, name, email));
  return { created: row.id === newId, account: toView(row, await balanceAt(query, row.id, now)) };
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
