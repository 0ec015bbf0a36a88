import { pipeline } from 'node:stream/promises';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { commitInTime, observed, type RemainingMs } from '@app/platform';
import { type ClientBase } from 'pg';
import { from as copyStream } from 'pg-copy-streams';
import { type DataSource, type EntityManager } from 'typeorm';

/** Runs one statement and gives its rows. */
export type Query = <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** A transaction that is open. */
export interface Transaction {
  readonly query: Query;
  /** Runs `COPY ... FROM STDIN` with these rows, in its text format. */
  readonly copyFrom: (sql: string, rows: Uint8Array) => Promise<void>;
}

/** A writer's transaction: its statements, and the revision that it stamps on every row it changes. */
export interface Writing {
  readonly query: Query;
  readonly revision: string;
}

interface Limits {
  readonly statement_timeout?: number;
  readonly lock_timeout?: number;
}

/** `limits` replace those of the session, in ms; `remainingMs` is of a caller after whose time-out nothing may be committed. */
interface TransactionOptions {
  readonly limits?: Limits;
  readonly remainingMs?: RemainingMs | undefined;
}

const sliceBytes = 65_536;

/** Statements outside of any transaction. */
export function autocommitQuery(dataSource: DataSource): Query {
  return observed(async <Row>(sql: string, parameters?: unknown[]) =>
    rowsOf<Row>(await dataSource.query<unknown>(sql, parameters)),
  );
}

/**
 * Any transaction; what `work` throws rolls it back. With `remainingMs` nothing is committed after the caller has given up:
 * `deadline_exceeded`.
 */
export function inTransaction<Result>(
  dataSource: DataSource,
  work: (query: Query, transaction: Transaction) => Promise<Result>,
  { limits = {}, remainingMs }: TransactionOptions = {},
): Promise<Result> {
  return dataSource.transaction(async (manager) => {
    const query: Query = observed(async <Row>(sql: string, parameters?: unknown[]) =>
      rowsOf<Row>(await manager.query<unknown>(sql, parameters)),
    );
    const settings = Object.entries(limits).map(([name, ms]) => `SET LOCAL ${name} = ${ms}`);
    if (settings.length > 0) await query(settings.join('; '));
    const result = await work(query, { query, copyFrom: (sql, rows) => copyFrom(manager, sql, rows) });
    if (remainingMs) await commitInTime(query, remainingMs);
    return result;
  });
}

/** The driver's own connection has to be asked for: the ORM knows nothing of COPY. */
async function copyFrom(manager: EntityManager, sql: string, rows: Uint8Array): Promise<void> {
  const client = (await manager.queryRunner?.connect()) as ClientBase | undefined;
  if (!client) throw new Error('a transaction has a connection');
  await pipeline(slicesOf(rows), client.query(copyStream(sql)));
}

/** The kernel takes a whole chunk in one go, which took up to 12 ms; searches come between the slices. */
async function* slicesOf(rows: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < rows.length; start += sliceBytes) {
    yield rows.subarray(start, start + sliceBytes);
    await othersFirst();
  }
}

/**
 * Takes the next revision for a transaction that changes creators. The row stays locked until its end, so that writers
 * take turns and a revision is never visible before a smaller one: whoever follows revisions misses nothing.
 */
export async function startWriting(query: Query): Promise<Writing> {
  const [state] = await query<{ revision: string }>(
    'UPDATE catalog_state SET revision = revision + 1 RETURNING revision',
  );
  if (!state) throw new Error('catalog_state has no row');
  return { query, revision: state.revision };
}

/** The ORM gives `[rows, count]` for UPDATE and DELETE, and rows for everything else. */
export function rowsOf<Row>(result: unknown): Row[] {
  if (
    Array.isArray(result) &&
    result.length === 2 &&
    Array.isArray(result[0]) &&
    typeof result[1] === 'number'
  ) {
    return result[0] as Row[];
  }
  return result as Row[];
}
