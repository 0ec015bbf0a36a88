import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { buildMonthlyIndex } from './monthly-index.js';

/** What a statement of one type needs to pass by the charges in between: an index of the other entries. A charge writes nothing into it. */
export class EntriesBesidesCharges1797120014000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildMonthlyIndex(runner, {
      name: 'ledger_entries_besides_charges',
      table: 'ledger_entries',
      how: "(account_id, type, created_at, id) WHERE type <> 'charge'",
    });
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
