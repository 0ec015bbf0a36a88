import { type AccountPath, type AccountView, type SuspendAccountRequest } from '@app/contracts';
import { type RemainingMs } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { BalanceRepository } from '../../ledger/lots/balance.repository.js';
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
  suspend({ account_id, reason }: SuspendAccountRequest, remainingMs?: RemainingMs): Promise<AccountView> {
    const suspension = (now: Date, since: Date | null) => ({
      suspendedAt: since ?? now,
      suspensionReason: reason,
    });
    return this.change(account_id, suspension, remainingMs);
  }

  /** Changes nothing for an account that is not suspended. Throws `not_found`. */
  resume({ account_id }: AccountPath, remainingMs?: RemainingMs): Promise<AccountView> {
    return this.change(account_id, () => ({ suspendedAt: null, suspensionReason: null }), remainingMs);
  }

  private async change(
    accountId: string,
    changed: (now: Date, since: Date | null) => Suspension,
    remainingMs?: RemainingMs,
  ): Promise<AccountView> {
    const change = async (locked: LockedAccounts): Promise<AccountView> => {
      const { suspendedAt } = await this.accounts.get(locked, accountId);
      await this.accounts.suspend(locked, accountId, changed(locked.now, suspendedAt));
      const balance = await this.balances.balanceAt(locked, accountId, locked.now);
      return toAccountView(await this.accounts.get(locked, accountId), balance);
    };
    const account = await this.transactions.run([accountId], change, { remainingMs });
    await this.keys.announceAll(accountId);
    return account;
  }
}
