import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Client, type Pool, type QueryConfig } from 'pg';
import { from as copyFromStream, to as copyToStream } from 'pg-copy-streams';
import { type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { observed } from './observed-query.js';
import { type Query } from './query.js';

/**
 * The only file that accesses node-postgres through TypeORM, for what TypeORM does not offer: pipelined statements,
 * named prepared statements, a time-out per statement, closing a connection while it reads, COPY, and pool statistics.
 * TypeORM types all of these as `any`; the assumptions about them are declared here, once.
 */
export type RawConnection = Pick<Client, 'query' | 'end' | 'connection'>;

/** A statement for the driver, whose types lack the time-out. */
interface RawStatement extends QueryConfig<unknown[]> {
  /** Time without an answer after which the connection is closed, ms. Default: that of the pool. */
  readonly query_timeout?: number;
}

/** The driver's connection of a runner; returned to the pool when the runner is released. */
export async function connectionOf(runner: QueryRunner): Promise<RawConnection> {
  return (await runner.connect()) as RawConnection;
}

/** Writes the statements that `send` sends in its turn of the event loop to the socket at once: a system call, not one for each. */
export function sendTogether<Result>({ connection }: RawConnection, send: () => Result): Result {
  connection.stream.cork();
  try {
    return send();
  } finally {
    connection.stream.uncork();
  }
}

/** Runs one statement and returns its rows. */
export async function runOn<Row>(connection: RawConnection, statement: RawStatement): Promise<Row[]> {
  const { rows } = await connection.query(statement);
  return rows as Row[];
}

/**
 * Marks for TypeORM that a transaction, begun without it, is open on the runner. Otherwise `save` would begin another one,
 * and commit both.
 */
export function markInTransaction(runner: QueryRunner): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}

/** Driver options passed through TypeORM, in addition to the settings of each connection. */
export interface PoolSettings {
  /** Whether connections may use prepared statements: no pooler without support for them is in between. */
  readonly prepareStatements?: boolean;
}

export function keepsPrepared({ options }: DataSource): boolean {
  const settings = options.extra as PoolSettings | undefined;
  return settings?.prepareStatements === true;
}

const sliceBytes = 65_536;

/** Runs `COPY ... FROM STDIN` with these rows, in text format, on the connection of a transaction. */
export async function copyFrom(manager: EntityManager, sql: string, rows: Uint8Array): Promise<void> {
  const client = await connectionOfTransaction(manager);
  await pipeline(slicesOf(rows), client.query(copyFromStream(sql)));
}

/** Runs `COPY ... TO STDOUT` on the connection of a transaction; gives the bytes as they come, no faster than they are read. */
export async function copyTo(manager: EntityManager, sql: string): Promise<Readable> {
  const client = await connectionOfTransaction(manager);
  return client.query(copyToStream(sql));
}

function connectionOfTransaction({ queryRunner }: EntityManager): Promise<RawConnection> {
  if (!queryRunner) throw new Error('COPY needs the connection of a transaction');
  return connectionOf(queryRunner);
}

/** Written whole, a chunk blocked for up to 12 ms; between slices, searches get their turn. */
async function* slicesOf(rows: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < rows.length; start += sliceBytes) {
    yield rows.subarray(start, start + sliceBytes);
    await yieldToEventLoop();
  }
}

/** The connections of a pool, and requests waiting for one; none before it was first opened. */
export function poolCounts(dataSource: DataSource): Record<'total' | 'idle' | 'waiting', number> | undefined {
  const { master: pool } = dataSource.driver as { master?: Pool };
  return pool && { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}

/** Statements outside a transaction, each on any free connection. */
export function autocommitQuery(dataSource: DataSource): Query {
  return observed(async (_name, text, values = []) => {
    const runner = dataSource.createQueryRunner();
    try {
      return await runOn(await connectionOf(runner), { text, values });
    } finally {
      await runner.release();
    }
  });
}
