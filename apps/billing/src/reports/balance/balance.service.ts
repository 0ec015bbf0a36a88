import { type Balance } from '@app/contracts';
import { TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { readClock } from '../../database/read-clock.js';
import { LotViewsRepository } from '../../ledger/lots/lot-views.repository.js';

/** What an account can spend, for its owner. */
@Injectable()
export class BalanceService {
  constructor(
    private readonly database: TransactionRunner,
    private readonly lots: LotViewsRepository,
  ) {}

  /** The unexpired lots and their total: the balance by which charges are decided. */
  async balance(accountId: string): Promise<Balance> {
    const lots = await this.lots.unexpired(this.database, accountId, await readClock(this.database));
    return {
      credits_remaining: lots.reduce((sum, { remaining }) => sum + remaining, 0),
      lots: lots.map(({ pack, credits, remaining, purchased_at, expires_at }) => ({
        pack,
        credits,
        remaining,
        purchased_at,
        expires_at,
      })),
    };
  }
}
