import { observed } from '@app/platform';
import { type PoolClient, type QueryConfig } from 'pg';
import { type DataSource } from 'typeorm';
import { type Query } from './query.js';

/**
 * Reads on one snapshot, which no later write changes and which holds up nobody. Its statements may take `timeoutMs`
 * instead of what a session allows.
 */
export async function onSnapshot<Result>(
  dataSource: DataSource,
  timeoutMs: number,
  read: (query: Query) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    const query: Query = observed(async <Row>(text: string, values: unknown[] = []) => {
      const statement: QueryConfig & { query_timeout: number } = { text, values, query_timeout: timeoutMs };
      return (await client.query(statement)).rows as Row[];
    });
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    try {
      await query(`SET LOCAL statement_timeout = ${timeoutMs}`);
      return await read(query);
    } finally {
      await query('ROLLBACK').catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}
