import { type LotOrigin } from '@app/contracts';
import { TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { type SweepStep } from '../schedule/sweep.service.js';
import { NoticeSettingsRepository } from './notice-settings.repository.js';
import { Outbox } from './outbox.js';

const lotsMax = 100;
const checkEveryMs = 60_000;

/** Served by `lots_to_expire` and `notices_once`. */
const expiringSql = `
  SELECT lots.id, lots.account_id, lots.pack, lots.remaining, lots.expires_at FROM lots
  LEFT JOIN notice_settings AS settings ON settings.account_id = lots.account_id
  WHERE is_open AND remaining > 0 AND expires_at > (SELECT ledger_now())
    AND expires_at <= (SELECT ledger_now()) + interval '3 days'
    AND COALESCE(settings.notify_on_expiry, true)
    AND NOT EXISTS (
      SELECT FROM notices
      WHERE notices.account_id = lots.account_id AND kind = 'lot_expiring' AND subject = lots.id::text
    )
  ORDER BY expires_at LIMIT $1`;

interface ExpiringLot {
  readonly id: string;
  readonly account_id: string;
  readonly pack: LotOrigin;
  readonly remaining: number;
  readonly expires_at: Date;
}

/** Notifies accounts three days before a lot with credits left expires, once for each lot. Checks once a minute. */
@Injectable()
export class ExpiringLotsStep implements SweepStep {
  readonly name = 'expiring lots';
  private nextCheckAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly settings: NoticeSettingsRepository,
    private readonly outbox: Outbox,
  ) {}

  async run(batchSize: number): Promise<number> {
    if (performance.now() < this.nextCheckAt) return 0;
    const notified = await this.notify(Math.min(batchSize, lotsMax));
    if (notified === 0) this.nextCheckAt = performance.now() + checkEveryMs;
    return notified;
  }

  /** Stores at most `max` notices, each in its own transaction; resolves to their number. */
  async notify(max: number): Promise<number> {
    const lots = await this.database.query<ExpiringLot>('select expiring lots', expiringSql, [max]);
    for (const lot of lots) await this.transactions.run([], (locked) => this.write(locked, lot));
    return lots.length;
  }

  private async write(locked: LockedAccounts, lot: ExpiringLot): Promise<void> {
    const { id, account_id: accountId, pack, remaining, expires_at } = lot;
    const data = { lot_id: id, pack, remaining, expires_at: expires_at.toISOString() };
    const notice = { accountId, subject: id, content: { kind: 'lot_expiring', data } } as const;
    await this.outbox.write(locked, notice, await this.settings.get(locked, accountId));
  }
}
