import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A block range index says which pages hold the rows of an hour: they are written in the order of time, so it costs a charge next to
 * nothing and stays small. Calls go on while it is built for each month; run again, it goes on where it was.
 */
export class LedgerByTime1797120013000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const index of indexes) await build(runner, index);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

interface MonthlyIndex {
  readonly name: string;
  readonly table: string;
  readonly how: string;
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

/** Months that are added from now on have it from their beginning. */
async function build(runner: QueryRunner, { name, table, how }: MonthlyIndex): Promise<void> {
  await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${how}`);
  const months = (await runner.query(monthsWithoutSql, [table, name])) as { month: string }[];
  for (const { month } of months) {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${month}_by_time`);
    await runner.query(`CREATE INDEX CONCURRENTLY ${month}_by_time ON ${month} ${how}`);
    await runner.query(`ALTER INDEX ${name} ATTACH PARTITION ${month}_by_time`);
  }
}

const monthsWithoutSql = `
  SELECT inhrelid::regclass::text AS month FROM pg_inherits
  WHERE inhparent = $1::regclass AND NOT EXISTS (
    SELECT FROM pg_index JOIN pg_inherits AS attached ON attached.inhrelid = indexrelid
    WHERE indrelid = pg_inherits.inhrelid AND attached.inhparent = $2::regclass
  )`;
