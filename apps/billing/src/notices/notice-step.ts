import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '#platform/database';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { type SweepStep } from '../schedule/sweep.service.js';
import { NoticeSettingsRepository } from './notice-settings.repository.js';
import { type NewNotice, Outbox } from './outbox.js';

const noticesMax = 100;

/** Looks for what accounts are to be notified of, each once; when nothing is left, again after a while. Locks no account. */
@Injectable()
export abstract class NoticeStep<Row> implements SweepStep {
  abstract readonly name: string;
  /** How long after nothing was found it is looked for again. */
  protected abstract readonly checkEveryMs: number;
  private nextCheckAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly transactions: AccountTransactions,
    protected readonly database: TransactionRunner,
    private readonly settings: NoticeSettingsRepository,
    private readonly outbox: Outbox,
  ) {}

  async run(batchSize: number): Promise<number> {
    if (performance.now() < this.nextCheckAt) return 0;
    const notified = await this.notify(Math.min(batchSize, noticesMax));
    if (notified === 0) this.nextCheckAt = performance.now() + this.checkEveryMs;
    return notified;
  }

  /** Stores at most `max` notices, each in its own transaction; resolves to their number. */
  async notify(max: number): Promise<number> {
    const rows = await this.find(max);
    for (const row of rows) {
      await this.transactions.run([], (locked) => this.write(locked, this.noticeOf(row)));
    }
    return rows.length;
  }

  /** At most `max` of those not notified of yet. */
  protected abstract find(max: number): Promise<Row[]>;

  protected abstract noticeOf(row: Row): NewNotice;

  private async write(locked: LockedAccounts, notice: NewNotice): Promise<void> {
    await this.outbox.write(locked, notice, await this.settings.get(locked, notice.accountId));
  }
}
