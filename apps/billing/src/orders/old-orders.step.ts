import { TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../sweep-steps/sweep-step.js';

/** Served by `orders_ended`. */
const deleteOldSql = `
  WITH deleted AS (
    DELETE FROM orders
    WHERE id IN (
      SELECT id FROM orders
      WHERE state IN ('expired', 'failed') AND ordered_at <= (SELECT ledger_now()) - interval '90 days'
      ORDER BY ordered_at LIMIT $1
    )
    RETURNING 1
  )
  SELECT count(*)::integer AS deleted FROM deleted`;

/** Deletes the orders of 90 days ago that ended without a payment: nothing can be paid for them any longer. */
@Injectable()
export class OldOrdersStep implements SweepStep {
  readonly name = 'old orders';

  constructor(private readonly database: TransactionRunner) {}

  async run(batchSize: number): Promise<number> {
    const [row] = await this.database.query<{ deleted: number }>('delete orders', deleteOldSql, [batchSize]);
    return row?.deleted ?? 0;
  }
}
