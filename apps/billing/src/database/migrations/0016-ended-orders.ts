import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Orders that ended without a payment by age, for the sweep that deletes them. Orders go on while it is built. */
export class EndedOrders1797000016000 implements MigrationInterface {
  readonly transaction = false;

  /** One that was interrupted leaves an index that is not valid. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS orders_ended');
    await runner.query(
      `CREATE INDEX CONCURRENTLY orders_ended ON orders (ordered_at) WHERE state IN ('expired', 'failed')`,
    );
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
