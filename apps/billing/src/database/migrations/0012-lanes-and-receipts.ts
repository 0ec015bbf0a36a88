import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What bounds deliveries, look-ups of webhooks and questions to Stripe, over all replicas; and the receipts of orders. Only
 * columns without a value for existing rows, so no table is rewritten, and the previous version runs beside this one.
 */
export class LanesAndReceipts1797000012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [deliveries, settings, orders]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** Mail and webhooks are queues of their own; `deliveries_in_progress` counts the attempts of an account. */
const deliveries = `
ALTER TABLE deliveries ADD COLUMN attempt_until timestamptz(3);
CREATE INDEX deliveries_waiting ON deliveries (channel, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX deliveries_in_progress ON deliveries (account_id, channel) WHERE attempt_until IS NOT NULL;
DROP INDEX deliveries_due`;

const settings = `
ALTER TABLE notice_settings
  ADD COLUMN webhook_checks integer NOT NULL DEFAULT 0,
  ADD COLUMN webhook_checks_from timestamptz(3)`;

const orders = `
ALTER TABLE orders
  ADD COLUMN checkout_url text,
  ADD COLUMN receipt_url text,
  ADD COLUMN viewed_at timestamptz(3)`;
