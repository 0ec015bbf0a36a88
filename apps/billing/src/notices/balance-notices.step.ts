import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { BalanceRepository } from '../ledger/lots/balance.repository.js';
import { type SweepStep } from '../schedule/sweep.service.js';
import { NoticeSettingsRepository, type ThresholdRow } from './notice-settings.repository.js';
import { evaluateBalance } from './notice-rules.js';
import { Outbox } from './outbox.js';

/** In one transaction; each may get a notice with deliveries. */
const accountsMax = 100;

/**
 * Notifies accounts whose balance has fallen below their threshold, at most once an hour however the threshold or the balance
 * change. Checks each of them once a minute and locks no account, so that charges neither work nor wait for it.
 */
@Injectable()
export class BalanceNoticesStep implements SweepStep {
  readonly name = 'balance notices';

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly settings: NoticeSettingsRepository,
    private readonly balances: BalanceRepository,
    private readonly outbox: Outbox,
  ) {}

  run(batchSize: number): Promise<number> {
    return this.transactions.run([], async (locked) => {
      const rows = await this.settings.toCheck(locked, Math.min(batchSize, accountsMax));
      if (rows.length === 0) return 0;
      const ids = rows.map(({ account_id }) => account_id);
      const balances = await this.balances.balancesAt(locked, ids, locked.now);
      for (const row of rows) await this.check(locked, row, balances.get(row.account_id) ?? 0);
      await this.settings.markChecked(locked, ids);
      return rows.length;
    });
  }

  private async check(locked: LockedAccounts, row: ThresholdRow, credits: number): Promise<void> {
    const { account_id: accountId, threshold, was_low: wasLow } = row;
    const { isLow, shouldNotify } = evaluateBalance({ credits, threshold, wasLow });
    if (isLow === wasLow) return;
    // Not marked as low, so that the account is notified after the hour if the balance is still low.
    if (shouldNotify && (await this.settings.wasNotifiedRecently(locked, accountId))) return;
    await this.settings.markLow(locked, accountId, isLow);
    if (!shouldNotify) return;
    const content = { kind: 'balance_low', data: { credits_remaining: credits, threshold } } as const;
    const settings = await this.settings.get(locked, accountId);
    await this.outbox.write(locked, { accountId, subject: locked.now.toISOString(), content }, settings);
  }
}
