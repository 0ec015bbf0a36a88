import { type DataSource, type ReplicationMode } from 'typeorm';
import { observed } from './observed-query.js';
import { type Managed, type Query, type Queryable } from './query.js';
import { connectionOf, runOn } from './raw-connection.js';

/** Statements outside a transaction, each on any free connection. */
export function autocommitQuery(dataSource: DataSource): Query {
  return (name, sql, parameters) =>
    borrowConnection(dataSource, 'master', ({ query }) => query(name, sql, parameters));
}

/** Runs `work` outside a transaction on one connection, to the primary or, with `slave`, to a read replica. */
export async function borrowConnection<Result>(
  dataSource: DataSource,
  mode: ReplicationMode,
  work: (on: Queryable & Managed) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner(mode);
  const query = observed(async (_name, text, values = []) =>
    runOn(await connectionOf(runner), { text, values }),
  );
  try {
    return await work({ query, manager: runner.manager });
  } finally {
    await runner.release();
  }
}
