import { pipeline } from 'node:stream/promises';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { type Client, type QueryConfig } from 'pg';
import { from as copyStream } from 'pg-copy-streams';
import { type DataSource, type EntityManager, type QueryRunner } from 'typeorm';

/**
 * The only file that reaches through TypeORM to node-postgres. What is needed of the driver and what TypeORM has no way to ask
 * for: statements that are sent without waiting for each other's answers, the names of prepared statements, a time-out of one
 * statement, ending a connection while it reads, COPY, and the counts of the pool. TypeORM declares all of these as `any`;
 * what is assumed of them is written down here, once.
 */
export type RawConnection = Pick<Client, 'query' | 'end'>;

/** A statement as the driver takes it; its types leave the time-out out. */
interface RawStatement extends QueryConfig<unknown[]> {
  /** Without an answer for so long its connection is ended, ms. Default: as for all statements of the pool. */
  readonly query_timeout?: number;
}

/** The driver's own connection of a runner, which gives it back to its pool when it is released. */
export async function connectionOf(runner: QueryRunner): Promise<RawConnection> {
  return (await runner.connect()) as RawConnection;
}

/** Runs one statement and gives its rows. */
export async function runOn<Row>(connection: RawConnection, statement: RawStatement): Promise<Row[]> {
  const { rows } = await connection.query(statement);
  return rows as Row[];
}

/**
 * Tells TypeORM that a transaction is open on the runner, which was begun without it. It would begin one of its own for
 * `save`, and commit both.
 */
export function markInTransaction(runner: QueryRunner): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}

/** What the driver is told through the options of TypeORM, beside the settings of each connection. */
export interface PoolSettings {
  /** Whether the connections may keep prepared statements: no pooler that doesn't know them is in between. */
  readonly prepareStatements?: boolean;
}

export function keepsPrepared({ options }: DataSource): boolean {
  const settings = options.extra as PoolSettings | undefined;
  return settings?.prepareStatements === true;
}

const sliceBytes = 65_536;

/** Runs `COPY ... FROM STDIN` with these rows, in its text format, on the connection of a transaction. */
export async function copyFrom(manager: EntityManager, sql: string, rows: Uint8Array): Promise<void> {
  if (!manager.queryRunner) throw new Error('COPY needs the connection of a transaction');
  const client = await connectionOf(manager.queryRunner);
  await pipeline(slicesOf(rows), client.query(copyStream(sql)));
}

/** The kernel takes a whole chunk in one go, which took up to 12 ms; searches come between the slices. */
async function* slicesOf(rows: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < rows.length; start += sliceBytes) {
    yield rows.subarray(start, start + sliceBytes);
    await othersFirst();
  }
}

/** What node-postgres tells of its pool. */
export interface PoolCounts {
  readonly total: number;
  readonly idle: number;
  /** Requests for a connection that wait. */
  readonly waiting: number;
}

interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The connections of a pool; none as long as it has never been open. */
export function poolCounts(dataSource: DataSource): PoolCounts | undefined {
  const { master: pool } = dataSource.driver as { master?: Pool };
  return pool && { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}
