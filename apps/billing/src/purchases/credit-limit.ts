import { ServiceError } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { LotsRepository } from '../ledger/lots/lots.repository.js';

/** Most credits in the unexpired lots of an account, spent or not: keeps balances far from 32-bit overflow. */
export const accountCreditsMax = 2_000_000_000;

/** The most that an account may hold. */
@Injectable()
export class CreditLimit {
  constructor(private readonly lots: LotsRepository) {}

  /**
   * Throws `conflict` when `credits` more would exceed the limit. Monthly grants are exempt: they were agreed before,
   * and what is owed is never refused.
   */
  async refuseAbove(locked: LockedAccounts, accountId: string, credits: number): Promise<void> {
    const held = await this.lots.creditsHeld(locked, accountId);
    if (held + credits <= accountCreditsMax) return;
    throw new ServiceError(
      'conflict',
      `The unexpired lots of an account may hold at most ${accountCreditsMax} credits together.`,
    );
  }
}
