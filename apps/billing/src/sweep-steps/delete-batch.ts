import { type DataSource } from 'typeorm';
import { autocommitQuery } from '../database/query.js';

/** Runs a statement that deletes at most `$1` rows and gives their number as `deleted`; resolves to it. */
export async function deleteBatch(dataSource: DataSource, sql: string, batchSize: number): Promise<number> {
  const [row] = await autocommitQuery(dataSource)<{ deleted: number }>(sql, [batchSize]);
  return row?.deleted ?? 0;
}
