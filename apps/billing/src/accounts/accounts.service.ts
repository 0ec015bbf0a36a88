import {
  type AccountDetail,
  type AccountPath,
  type AccountView,
  type AdminAction,
  type CreateAccountReply,
  type CreateAccountRequest,
  type ListAccountsRequest,
  type Page,
  type RenameAccountRequest,
  type SuspendAccountRequest,
  type UpdateAccountRequest,
} from '#contracts';
import { type ChangeContext, InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { AccountTransactions, type LockedAccounts, readClock } from '../database/account-transactions.js';
import { newestPage } from '../reports/common/newest-page.js';
import { reportsPool } from '../database/data-source.js';
import { IdempotencyKeysRepository } from '../ledger/idempotency/idempotency-keys.repository.js';
import { BalanceRepository } from '../ledger/lots/balance.repository.js';
import { LotViewsRepository } from '../ledger/lots/lot-views.repository.js';
import { requireEmail } from '../people/records/people.js';
import { Account } from './account.entity.js';
import { AccountsRepository, permanentlyClosed } from './accounts.repository.js';
import { ApiKeysService } from './keys/api-keys.service.js';

/** Both `null`: not suspended. */
type Suspension = Pick<Account, 'suspendedAt' | 'suspensionReason'>;

const snapshotTimeoutMs = 4_000;
const sameEmailShownMax = 10;

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
    private readonly keys: ApiKeysService,
  ) {}

  /**
   * Creates one account per Idempotency-Key, also for repeated or concurrent requests; its address becomes its owner.
   * Throws `conflict` when the key was used with another name or address.
   */
  create(request: CreateAccountRequest, by: ChangeContext = {}): Promise<CreateAccountReply> {
    const create = (locked: LockedAccounts) => this.createOnce(locked, request);
    return this.transactions.run([request.account_id], create, by);
  }

  async rename(request: RenameAccountRequest, by: ChangeContext): Promise<{ renamed: true }> {
    await this.update(request, by);
    return { renamed: true };
  }

  /** Changes the name or the address, which is for operators and changes no member. Throws `not_found`. */
  update(
    { account_id: id, name, email }: UpdateAccountRequest,
    by: ChangeContext = {},
  ): Promise<AccountView> {
    const update = async (locked: LockedAccounts): Promise<AccountView> => {
      const before = await this.accounts.get(locked, id);
      const change = {
        ...(name !== undefined && { name }),
        ...(email !== undefined && { email: requireEmail(email) }),
      };
      await locked.manager.update(Account, { id }, change);
      const after = await this.accounts.get(locked, id);
      const [from, to] = [before, after].map((account) => ({ name: account.name, email: account.email }));
      const about = { action: 'account.updated', account_id: id, subject: id } as const;
      await locked.record({ ...about, before: from, after: to });
      return toAccountView(after, await this.balances.balanceAt(locked, id, locked.now));
    };
    return this.transactions.run([id], update, by);
  }

  /**
   * Refuses the keys of the account until it is resumed: once this is committed, none of its calls is charged; pending charges are
   * settled as usual, and it keeps its credits. If it is suspended already, only the reason changes. Throws `not_found`.
   */
  suspend({ account_id, reason }: SuspendAccountRequest, by: ChangeContext = {}): Promise<AccountView> {
    const suspension = ({ suspendedAt }: Account, now: Date): Suspension => ({
      suspendedAt: suspendedAt ?? now,
      suspensionReason: reason,
    });
    return this.changeSuspension(account_id, 'account.suspended', suspension, by);
  }

  /** Resumes an account; changes nothing if it is not suspended. Throws `conflict` if it is closed, `not_found`. */
  resume({ account_id }: AccountPath, by: ChangeContext = {}): Promise<AccountView> {
    const none = ({ closedAt }: Account): Suspension => {
      if (closedAt !== null) throw permanentlyClosed();
      return { suspendedAt: null, suspensionReason: null };
    };
    return this.changeSuspension(account_id, 'account.resumed', none, by);
  }

  /** Newest first. */
  async list({ email, ...request }: ListAccountsRequest): Promise<Page<AccountView>> {
    // Served by `accounts_page`, those of an address by `accounts_of_address`.
    const newest = this.reports.manager.createQueryBuilder(Account, 'account');
    if (email !== undefined) newest.where('account.email = :email', { email: requireEmail(email) });
    const { items, next_cursor } = await newestPage(newest, 'createdAt', request);
    const ids = items.map(({ id }) => id);
    const balances = await this.balances.balancesAt(this.reports, ids);
    const views = items.map((account) => toAccountView(account, balances.get(account.id) ?? 0));
    return { items: views, next_cursor };
  }

  /** An account with its lots and balance at one instant. Throws `not_found`. */
  show({ account_id: accountId }: AccountPath): Promise<AccountDetail> {
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

  private async changeSuspension(
    accountId: string,
    action: AdminAction,
    changed: (account: Account, now: Date) => Suspension,
    by: ChangeContext,
  ): Promise<AccountView> {
    const change = async (locked: LockedAccounts): Promise<AccountView> => {
      const account = await this.accounts.get(locked, accountId);
      const suspension = changed(account, locked.now);
      await locked.manager.update(Account, { id: accountId }, suspension);
      const balance = await this.balances.balanceAt(locked, accountId, locked.now);
      const before = toAccountView(account, balance);
      const after = toAccountView({ ...account, ...suspension }, balance);
      await locked.record({ action, account_id: accountId, subject: accountId, before, after });
      return after;
    };
    const account = await this.transactions.run([accountId], change, by);
    await this.keys.announceAll(accountId);
    return account;
  }

  private async createOnce(
    locked: LockedAccounts,
    { account_id: newId, name, email, idempotency_key: idempotencyKey }: CreateAccountRequest,
  ): Promise<CreateAccountReply> {
    const creation = { scope: 'accounts', idempotencyKey, content: [name, email], newId };
    const { id } = await this.idempotencyKeys.claim(locked, creation);
    const known = await this.accounts.find(locked, id);
    const opened = { id: newId, name, email: requireEmail(email), signedUpFrom: null };
    const account = known ?? (await this.accounts.open(locked, opened));
    const balance = await this.balances.balanceAt(locked, account.id, locked.now);
    const others = await locked.manager.find(Account, {
      select: { id: true },
      where: { email: account.email, id: Not(account.id) },
      take: sameEmailShownMax,
    });
    const view = {
      ...toAccountView(account, balance),
      ...(others.length > 0 && { same_email: others.map((other) => other.id) }),
    };
    if (!known) {
      await locked.record({ action: 'account.created', account_id: id, subject: id, after: { name, email } });
    }
    return { created: account.id === newId, account: view };
  }
}

/** An account as operators see it. */
function toAccountView(account: Account, creditsRemaining: number): AccountView {
  const { suspendedAt, suspensionReason, closedAt } = account;
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    created_at: account.createdAt.toISOString(),
    credits_remaining: creditsRemaining,
    ...(suspendedAt && { suspended_at: suspendedAt.toISOString() }),
    ...(suspensionReason !== null && { suspension_reason: suspensionReason }),
    ...(closedAt && { closed_at: closedAt.toISOString() }),
  };
}
