import { type Balance, BalanceRequest, getBalance } from '#contracts';
import { TransactionRunner } from '#platform/database';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { ApiKeysRepository } from '../accounts/keys/api-keys.repository.js';
import { readClock } from '../database/account-transactions.js';
import { LotViewsRepository } from '../ledger/lots/lot-views.repository.js';

/** What an account can spend. */
@Controller()
export class BalanceController {
  constructor(
    private readonly database: TransactionRunner,
    private readonly lots: LotViewsRepository,
    private readonly keys: ApiKeysRepository,
  ) {}

  /** The unexpired lots and their total, the balance by which charges are decided, and the limit of the key that asks. */
  @MessagePattern(getBalance.pattern)
  async show(@Payload() { account_id, key_id }: BalanceRequest): Promise<Balance> {
    const { lots, limit } = await this.database.readPlannedOnce(async (on) => ({
      lots: await this.lots.unexpired(on, account_id, await readClock(on)),
      limit: key_id === undefined ? undefined : await this.keys.limitOf(on, account_id, key_id),
    }));
    return {
      credits_remaining: lots.reduce((sum, { remaining }) => sum + remaining, 0),
      lots: lots.map(({ pack, credits, remaining, purchased_at, expires_at }) => ({
        pack,
        credits,
        remaining,
        purchased_at,
        expires_at,
      })),
      ...(limit && { key_limit: limit }),
    };
  }
}
