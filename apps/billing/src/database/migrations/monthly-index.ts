import { type QueryRunner } from 'typeorm';

/** An index of a table that has a partition for each month. */
export interface MonthlyIndex {
  readonly name: string;
  readonly table: string;
  /** What follows the table in `CREATE INDEX`. */
  readonly how: string;
}

/**
 * Builds it month by month while calls go on; run again, it goes on where it was. Months that are added from now on have it from
 * their beginning. Needs a migration without a transaction.
 */
export async function buildMonthlyIndex(
  runner: QueryRunner,
  { name, table, how }: MonthlyIndex,
): Promise<void> {
  const suffix = name.slice(table.replace('_ended', '').length);
  await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${how}`);
  const months = (await runner.query(monthsWithoutSql, [table, name])) as { month: string }[];
  for (const { month } of months) {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${month}${suffix}`);
    await runner.query(`CREATE INDEX CONCURRENTLY ${month}${suffix} ON ${month} ${how}`);
    await runner.query(`ALTER INDEX ${name} ATTACH PARTITION ${month}${suffix}`);
  }
}

const monthsWithoutSql = `
  SELECT inhrelid::regclass::text AS month FROM pg_inherits
  WHERE inhparent = $1::regclass AND NOT EXISTS (
    SELECT FROM pg_index JOIN pg_inherits AS attached ON attached.inhrelid = indexrelid
    WHERE indrelid = pg_inherits.inhrelid AND attached.inhparent = $2::regclass
  )`;
