import {
  type AccountDetail,
  type AccountView,
  type CreateAccountReply,
  type CreateAccountRequest,
  isId,
  type Page,
  type PageRequest,
  type UpdateAccountRequest,
} from '#contracts';
import { type ChangeContext, InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts, readClock } from '../database/account-transactions.js';
import { decodeCursor, encodeCursor, isTime } from '../reports/common/cursor.js';
import { reportsPool } from '../database/data-source.js';
import { IdempotencyKeysRepository } from '../ledger/idempotency/idempotency-keys.repository.js';
import { BalanceRepository } from '../ledger/lots/balance.repository.js';
import { LotViewsRepository } from '../ledger/lots/lot-views.repository.js';
import { requireEmail } from '../people/records/email-addresses.js';
import { toAccountView } from './account-view.js';
import { AccountsRepository } from './accounts.repository.js';

const cursorParts = [isTime, isId];
const snapshotTimeoutMs = 4_000;

/** Accounts with their balances at the instant of the call. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly transactions: AccountTransactions,
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly balances: BalanceRepository,
    private readonly lots: LotViewsRepository,
    private readonly idempotencyKeys: IdempotencyKeysRepository,
  ) {}

  /**
   * Creates one account per Idempotency-Key, also for repeated or concurrent requests; its address becomes its owner.
   * Throws `conflict` when the key was used with another name or address.
   */
  create(request: CreateAccountRequest, by: ChangeContext = {}): Promise<CreateAccountReply> {
    const create = (locked: LockedAccounts) => this.createOnce(locked, request);
    return this.transactions.run([request.account_id], create, by);
  }

  /** Changes the name or the address, which is for operators and changes no member. Throws `not_found`. */
  update(
    { account_id: id, name, email }: UpdateAccountRequest,
    by: ChangeContext = {},
  ): Promise<AccountView> {
    const address = email === undefined ? undefined : requireEmail(email);
    const update = async (locked: LockedAccounts): Promise<AccountView> => {
      const before = await this.accounts.get(locked, id);
      await this.accounts.change(locked, id, { name, email: address });
      const after = await this.accounts.get(locked, id);
      const [from, to] = [before, after].map((account) => ({ name: account.name, email: account.email }));
      await locked.record({
        action: 'account.updated',
        account_id: id,
        subject: id,
        before: from,
        after: to,
      });
      return toAccountView(after, await this.balances.balanceAt(locked, id, locked.now));
    };
    return this.transactions.run([id], update, by);
  }

  /** Newest first. */
  async list({ limit, cursor }: PageRequest): Promise<Page<AccountView>> {
    const after = cursor === undefined ? null : decodeCursor(cursor, cursorParts);
    const accounts = await this.accounts.page(this.reports, limit + 1, after);
    const page = accounts.slice(0, limit);
    const last = accounts.length > limit ? page.at(-1) : undefined;
    const balances = await this.balances.balancesAt(
      this.reports,
      page.map(({ id }) => id),
    );
    return {
      items: page.map((account) => toAccountView(account, balances.get(account.id) ?? 0)),
      next_cursor: last ? encodeCursor([last.createdAt.toISOString(), last.id]) : null,
    };
  }

  /** Throws `not_found`. The lots and the balance are of one instant. */
  show(accountId: string): Promise<AccountDetail> {
    return this.reports.snapshot(
      async (snapshot) => {
        const account = await this.accounts.get(snapshot, accountId);
        const now = await readClock(snapshot);
        return {
          ...toAccountView(account, await this.balances.balanceAt(snapshot, accountId, now)),
          lots: await this.lots.ofAccount(snapshot, accountId, now),
        };
      },
      { timeoutMs: snapshotTimeoutMs },
    );
  }

  private async createOnce(
    locked: LockedAccounts,
    { account_id: newId, name, email, idempotency_key: idempotencyKey }: CreateAccountRequest,
  ): Promise<CreateAccountReply> {
    const creation = { scope: 'accounts', idempotencyKey, content: [name, email], newId };
    const { id } = await this.idempotencyKeys.claim(locked, creation);
    const known = await this.accounts.find(locked, id);
    const account =
      known ??
      (await this.accounts.open(locked, { id: newId, name, email: requireEmail(email), signedUpFrom: null }));
    const balance = await this.balances.balanceAt(locked, account.id, locked.now);
    const view = toAccountView(account, balance);
    if (!known) {
      await locked.record({ action: 'account.created', account_id: id, subject: id, after: { name, email } });
    }
    return { created: account.id === newId, account: view };
  }
}
