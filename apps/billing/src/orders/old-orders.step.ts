import { TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../schedule/tasks/sweep-step.js';

/** Served by `orders_ended`. */
const deleteOldOrdersSql = `
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

/** Served by `payment_events_age`. */
const deleteOldEventsSql = `
  WITH deleted AS (
    DELETE FROM payment_events
    WHERE id IN (
      SELECT id FROM payment_events
      WHERE ended_at <= (SELECT ledger_now()) - interval '30 days' ORDER BY ended_at LIMIT $1
    )
    RETURNING 1
  )
  SELECT count(*)::integer AS deleted FROM deleted`;

/** Deletes orders after 90 days that ended without a payment: they can no longer be paid. */
@Injectable()
export class OldOrdersStep implements SweepStep {
  readonly name = 'old orders';

  constructor(private readonly database: TransactionRunner) {}

  async run(batchSize: number): Promise<number> {
    const { query } = this.database;
    const [row] = await query<{ deleted: number }>('delete orders', deleteOldOrdersSql, [batchSize]);
    return row?.deleted ?? 0;
  }
}

/** Deletes events 30 days after they were handled: by then Stripe neither sends nor lists them. */
@Injectable()
export class OldPaymentEventsStep implements SweepStep {
  readonly name = 'old payment events';

  constructor(private readonly database: TransactionRunner) {}

  async run(batchSize: number): Promise<number> {
    const { query } = this.database;
    const [row] = await query<{ deleted: number }>('delete payment events', deleteOldEventsSql, [batchSize]);
    return row?.deleted ?? 0;
  }
}
