import { type AccountPath, type AccountView, type AdminAction, type SuspendAccountRequest } from '#contracts';
import { type ChangeContext } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { BalanceRepository } from '../../ledger/lots/balance.repository.js';
import { type Account } from '../account.entity.js';
import { toAccountView } from '../account-view.js';
import { AccountsRepository } from '../accounts.repository.js';
import { ApiKeysService } from '../keys/api-keys.service.js';

type Suspension = Parameters<AccountsRepository['suspend']>[2];

/** Operators suspend accounts, whose keys are refused until the account is resumed. Nothing that it has is lost by it. */
@Injectable()
export class SuspensionsService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly accounts: AccountsRepository,
    private readonly keys: ApiKeysService,
    private readonly balances: BalanceRepository,
  ) {}

  /**
   * Once it is committed, no call of the account is charged; pending charges are settled as ever. Of an account that is suspended
   * already only the reason changes. Throws `not_found`.
   */
  suspend({ account_id, reason }: SuspendAccountRequest, by: ChangeContext = {}): Promise<AccountView> {
    const suspension = ({ suspendedAt }: Account, now: Date): Suspension => ({
      suspendedAt: suspendedAt ?? now,
      suspensionReason: reason,
    });
    return this.change(account_id, 'account.suspended', suspension, by);
  }

  /** Changes nothing for an account that is not suspended. Throws `not_found`. */
  resume({ account_id }: AccountPath, by: ChangeContext = {}): Promise<AccountView> {
    const none = { suspendedAt: null, suspensionReason: null };
    return this.change(account_id, 'account.resumed', () => none, by);
  }

  private async change(
    accountId: string,
    action: AdminAction,
    changed: (account: Account, now: Date) => Suspension,
    by: ChangeContext,
  ): Promise<AccountView> {
    const change = async (locked: LockedAccounts): Promise<AccountView> => {
      const account = await this.accounts.get(locked, accountId);
      await this.accounts.suspend(locked, accountId, changed(account, locked.now));
      const balance = await this.balances.balanceAt(locked, accountId, locked.now);
      const before = toAccountView(account, balance);
      const after = toAccountView(await this.accounts.get(locked, accountId), balance);
      await locked.record({ action, account_id: accountId, subject: accountId, before, after });
      return after;
    };
    const account = await this.transactions.run([accountId], change, by);
    await this.keys.announceAll(accountId);
    return account;
  }
}
