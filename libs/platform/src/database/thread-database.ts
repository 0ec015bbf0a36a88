import { type ClientBase, Pool } from 'pg';
import { type ConnectionOptions, driverOptions } from './connection-options.js';
import { type Query, type Queryable, type StatementName } from './query.js';

/**
 * The database in a worker thread: one connection, opened when it is needed, through the driver without TypeORM,
 * which takes longer to load than everything else there. Metrics of a thread are not collected, so its statements have none.
 */
export class ThreadDatabase implements Queryable {
  private readonly pool: Pool;
  /** Statements outside a transaction. */
  readonly query: Query;

  constructor(options: ConnectionOptions) {
    this.pool = new Pool({ connectionString: options.url, max: 1, ...driverOptions(options) });
    // An idle connection that was lost; the next statement opens another one.
    this.pool.on('error', () => undefined);
    this.query = queryOn(this.pool);
  }

  /** Reads on one snapshot: it sees no later writes and blocks none. */
  async snapshot<Result>(read: (on: Queryable) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return await read({ query: queryOn(client) });
    } finally {
      // Closes the connection, and with it the transaction, also in the middle of a statement.
      client.release(true);
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

function queryOn(connection: Pool | ClientBase): Query {
  return async <Row>(_name: StatementName, text: string, values?: unknown[]): Promise<Row[]> => {
    const { rows } = await connection.query({ text, values });
    return rows as Row[];
  };
}
