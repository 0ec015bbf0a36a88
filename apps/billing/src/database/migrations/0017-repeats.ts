import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { buildMonthlyIndex } from './monthly-index.js';

/** How often a paid call was repeated under its Idempotency-Key is counted for each further repetition. */
export class Repeats1797120016000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildMonthlyIndex(runner, {
      name: 'charges_repeats',
      table: 'charges_ended',
      how: '(repeat_of) WHERE repeat_of IS NOT NULL',
    });
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
