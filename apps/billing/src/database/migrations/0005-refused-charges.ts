import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Refused charges by age, for the sweep that forgets them. Charges go on while it is built, which no transaction allows. */
export class RefusedCharges1796169600000 implements MigrationInterface {
  readonly transaction = false;

  /** One that was interrupted leaves an index that is not valid. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS charges_refused');
    await runner.query(
      `CREATE INDEX CONCURRENTLY charges_refused ON charges (created_at) WHERE state = 'refused'`,
    );
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
