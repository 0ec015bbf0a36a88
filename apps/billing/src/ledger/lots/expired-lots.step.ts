import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { AccountSweepStep } from '../../schedule/account-sweep-step.js';
import { Lot } from './lot.entity.js';
import { LotsRepository } from './lots.repository.js';

/** Served by `lots_to_expire`. */
const expiredAccountsSql = `
  SELECT DISTINCT account_id
  FROM (
    SELECT account_id FROM lots
    WHERE is_open AND expires_at <= (SELECT ledger_now()) AND account_id <> ALL($2::uuid[])
    ORDER BY expires_at LIMIT $1
  ) AS expired`;

/** Writes off the rest of expired lots, which could not be spent since the instant of their expiry, and closes them. */
@Injectable()
export class ExpiredLotsStep extends AccountSweepStep {
  readonly name = 'expired lots';
  protected readonly dueSql = expiredAccountsSql;

  constructor(
    transactions: AccountTransactions,
    private readonly lots: LotsRepository,
  ) {
    super(transactions);
  }

  protected async apply(locked: LockedAccounts, batchSize: number): Promise<number> {
    const { manager, now, accountIds } = locked;
    const lots = await manager.find(Lot, {
      where: { accountId: In([...accountIds]), isOpen: true, expiresAt: LessThanOrEqual(now) },
      order: { expiresAt: 'ASC' },
      take: batchSize,
    });
    const rests = lots.filter(({ remaining }) => remaining > 0);
    await this.lots.insertEntries(
      locked,
      rests.map(({ accountId, id: lotId, remaining }) => {
        return { accountId, lotId, type: 'expiry', credits: -remaining };
      }),
    );
    await manager.update(Lot, { id: In(lots.map(({ id }) => id)) }, { isOpen: false });
    return lots.length;
  }
}
