import { type Queryable, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { type LockedAccounts } from '../database/account-transactions.js';
import { type ReturnPlan } from './plan-return.js';
import { Adjustment } from './adjustment.entity.js';
import { LotRefund } from './lot-refund.entity.js';

/** Served by `lot_refunds_not_recovered`; an older lot has expired. */
const recoverableAccountsSql = `
  SELECT DISTINCT lot_refunds.account_id
  FROM lot_refunds JOIN lots ON lots.id = lot_refunds.lot_id
  WHERE lot_refunds.credits_not_recovered > 0
    AND lot_refunds.created_at > (SELECT ledger_now()) - interval '31 days'
    AND lots.remaining > 0 AND lots.expires_at > (SELECT ledger_now())
    AND lot_refunds.account_id <> ALL($2::uuid[])
  LIMIT $1`;

/** Refunds of lots. Hand-written where the database's clock decides. */
@Injectable()
export class LotRefundsRepository {
  private readonly database: Queryable;

  constructor(database: TransactionRunner) {
    this.database = database;
  }

  /** Served by `lot_refunds_reference_unique`. */
  findByReference(
    { manager }: LockedAccounts,
    accountId: string,
    reference: string,
  ): Promise<LotRefund | null> {
    return manager.findOneBy(LotRefund, { accountId, reference });
  }

  findOfLot({ manager }: LockedAccounts, lotId: string): Promise<LotRefund | null> {
    return manager.findOneBy(LotRefund, { lotId });
  }

  async insert({ manager, now }: LockedAccounts, refund: Omit<LotRefund, 'createdAt'>): Promise<void> {
    await manager.insert(LotRefund, { ...refund, createdAt: now });
  }

  async change({ manager }: LockedAccounts, lotId: string, plan: Omit<ReturnPlan, 'change'>): Promise<void> {
    await manager.update(LotRefund, { lotId }, plan);
  }

  /** How often credits were taken for it; served by `adjustments_of_lot_refund`. */
  countAdjustments({ manager }: LockedAccounts, refundedLotId: string): Promise<number> {
    return manager.countBy(Adjustment, { refundedLotId });
  }

  /** Accounts where credits that were not recovered are back in their lot. */
  async accountsWithRecoverable(max: number, except: string[]): Promise<string[]> {
    const rows = await this.database.query<{ account_id: string }>(
      'select recoverable credits of lots',
      recoverableAccountsSql,
      [max, except],
    );
    return rows.map(({ account_id }) => account_id);
  }

  /** Refunds of the locked accounts with credits that were not recovered, oldest first. */
  notRecovered({ manager, accountIds }: LockedAccounts): Promise<LotRefund[]> {
    return manager.find(LotRefund, {
      where: { accountId: In([...accountIds]), creditsNotRecovered: MoreThan(0) },
      order: { createdAt: 'ASC' },
    });
  }
}
