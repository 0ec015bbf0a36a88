import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A removal by account looks for creators with a key, with either engine, published or not. The SQL engine had an index of its own for
 * published ones, which this one replaces. Built while writers go on, so a migration that was interrupted begins again.
 */
export class CreatorsByAccount1797120015000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const statements = [
  'DROP INDEX CONCURRENTLY IF EXISTS creators_by_account',
  'CREATE INDEX CONCURRENTLY creators_by_account ON creators USING gin (account_keys)',
  'DROP INDEX CONCURRENTLY IF EXISTS creators_of_account',
];
