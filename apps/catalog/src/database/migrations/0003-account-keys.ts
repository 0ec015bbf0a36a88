import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What look-ups of the SQL engine find a creator by. */
export class AccountKeys1763848800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(accountKeys);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/**
 * NULL: not derived yet. They are derived by the service, as everything that is folded; the migration job does it for
 * existing creators where the SQL engine is chosen, an import for those that it writes.
 */
const accountKeys = 'ALTER TABLE creators ADD COLUMN account_keys text[]';
