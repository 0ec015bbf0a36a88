import { type MigrationInterface, type QueryRunner } from 'typeorm';

const constraints = [
  'charges_refusal_known',
  'charges_total_not_negative',
  'charges_search_details',
  'charges_idempotency_whole',
  'charges_repeat_free',
];

/**
 * The indexes by which calls are found again, and the validation of the constraints before. Charges go on meanwhile, which
 * no transaction allows.
 */
export class CallIndexes1796256001000 implements MigrationInterface {
  readonly transaction = false;

  /** One that was interrupted leaves an index that is not valid. */
  async up(runner: QueryRunner): Promise<void> {
    for (const constraint of constraints) {
      await runner.query(`ALTER TABLE charges VALIDATE CONSTRAINT ${constraint}`);
    }
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS charges_of_request');
    await runner.query('CREATE INDEX CONCURRENTLY charges_of_request ON charges (account_id, request_id)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS charges_idempotent');
    await runner.query(
      `CREATE INDEX CONCURRENTLY charges_idempotent ON charges (idempotency_key_hash, created_at)
       WHERE idempotency_key_hash IS NOT NULL AND state IN ('pending', 'posted')`,
    );
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
