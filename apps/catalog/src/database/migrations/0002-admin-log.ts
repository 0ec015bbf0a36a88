import { createAdminLog } from '#platform/database';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The log of what operators change. */
export class AdminLog1797120006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of createAdminLog) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
