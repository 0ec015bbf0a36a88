import { AccountPath, type Balance, getBalance } from '@app/contracts';
import { TransactionRunner } from '@app/platform/database';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { readClock } from '../database/account-transactions.js';
import { LotViewsRepository } from '../ledger/lots/lot-views.repository.js';

/** What an account can spend. */
@Controller()
export class BalanceController {
  constructor(
    private readonly database: TransactionRunner,
    private readonly lots: LotViewsRepository,
  ) {}

  /** The unexpired lots and their total: the balance by which charges are decided. */
  @MessagePattern(getBalance.pattern)
  async show(@Payload() { account_id }: AccountPath): Promise<Balance> {
    const lots = await this.database.readPlannedOnce(async (on) =>
      this.lots.unexpired(on, account_id, await readClock(on)),
    );
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
