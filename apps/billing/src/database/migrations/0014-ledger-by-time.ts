import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { buildMonthlyIndex, type MonthlyIndex } from './monthly-index.js';

/**
 * A block range index says which pages hold the rows of an hour: they are written in the order of time, so it costs a charge next to
 * nothing and stays small. Calls go on while it is built for each month; run again, it goes on where it was.
 */
export class LedgerByTime1797120013000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const index of indexes) await buildMonthlyIndex(runner, index);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** Pages that are filled again after refused charges were deleted hold two times: the index of charges keeps several for each range. */
const indexes: readonly MonthlyIndex[] = [
  {
    name: 'ledger_entries_by_time',
    table: 'ledger_entries',
    how: 'USING brin (created_at) WITH (autosummarize = on)',
  },
  {
    name: 'charges_by_time',
    table: 'charges_ended',
    how: 'USING brin (created_at timestamptz_minmax_multi_ops) WITH (autosummarize = on)',
  },
];
