import { observed } from '@app/platform';
import { type Client, type QueryConfig } from 'pg';
import { type DataSource } from 'typeorm';
import { type Query } from './query.js';

interface SnapshotOptions {
  /** Its statements may take so long, instead of what a session allows. */
  readonly timeoutMs: number;
  /** Ends the connection, whatever is being read: what waits for it fails as when PostgreSQL goes away. */
  readonly giveUp?: AbortSignal;
}

/** Reads on one snapshot: later writes do not change what it sees, and it blocks none of them. */
export async function onSnapshot<Result>(
  dataSource: DataSource,
  { timeoutMs, giveUp }: SnapshotOptions,
  read: (query: Query) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as Client;
    const end = (): void => void client.end();
    giveUp?.addEventListener('abort', end);
    const query: Query = observed(async <Row>(text: string, values: unknown[] = []) => {
      const statement: QueryConfig & { query_timeout: number } = { text, values, query_timeout: timeoutMs };
      return (await client.query(statement)).rows as Row[];
    });
    try {
      await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await query(`SET LOCAL statement_timeout = ${timeoutMs}`);
      return await read(query);
    } finally {
      giveUp?.removeEventListener('abort', end);
      await query('ROLLBACK').catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}
