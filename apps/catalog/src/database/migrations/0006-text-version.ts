import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * By which rule the folded columns of a creator were written (`textVersion`); rows of before have the default, and none is
 * rewritten. The index that finds older ones is made by the migration job, without blocking writers.
 */
export class TextVersion1797120013000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE creators ADD COLUMN text_version text COLLATE "C" NOT NULL DEFAULT '1'`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
