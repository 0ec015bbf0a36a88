import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What operators do about orders: refunds, disputes that were lost, and what they leave as it is; which accounts owe for such a
 * dispute. No table is rewritten, and everything goes on while the index is built, which no transaction allows, so each statement
 * can be repeated.
 */
export class OperatorsDecisions1797000020000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of columns) await runner.query(statement);
    // One that was interrupted leaves an index that is not valid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS orders_page');
    await runner.query('CREATE INDEX CONCURRENTLY orders_page ON orders (ordered_at, id)');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** Of disputes that were lost before this version nothing is known: they are forgiven. */
const columns = [
  `ALTER TABLE orders
     ADD COLUMN IF NOT EXISTS refund_attempts integer NOT NULL DEFAULT 0,
     ADD COLUMN IF NOT EXISTS is_dispute_lost boolean NOT NULL DEFAULT false,
     ADD COLUMN IF NOT EXISTS accepted_at timestamptz(3)`,
  'ALTER TABLE accounts ADD COLUMN IF NOT EXISTS owes_since timestamptz(3)',
];
