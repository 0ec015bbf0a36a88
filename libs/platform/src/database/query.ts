import { type EntityManager } from 'typeorm';

/**
 * The name of a statement, for example `insert charges`: a lower-case literal. The compiler refuses a `string`, so
 * names are few and never contain input.
 */
export type StatementName = Lowercase<string>;

/**
 * Runs one statement and returns its rows, those of RETURNING too. The name labels its metric and span and names the
 * prepared statement, so one name must always have the same SQL.
 */
export type Query = <Row>(name: StatementName, sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** Runs statements: a transaction, or a connection pool outside a transaction. */
export interface Queryable {
  readonly query: Query;
}

/** Reads and writes entities: a transaction, a connection pool, or a `Repository`. */
export interface Managed {
  readonly manager: EntityManager;
}

/** The row of a statement that always has one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement without its row');
  return row;
}

/** A statement to be sent. */
export interface SqlStatement {
  readonly name: StatementName;
  readonly sql: string;
  readonly parameters: unknown[];
}

/** Sends statements in order, without waiting for the answers in between. */
export function sendAll(query: Query, statements: readonly SqlStatement[]): Promise<unknown>[] {
  return statements.map(({ name, sql, parameters }) => query(name, sql, parameters));
}

export interface OldRows {
  /** Neither partitioned nor distributed. */
  readonly table: string;
  /** The rows to delete, as a condition in SQL. */
  readonly where: string;
  /** The values of `$1`, `$2` ... in the condition. */
  readonly parameters?: readonly unknown[];
}

/**
 * Deletes at most `batchMax` rows in one statement, so that it stays below the time limit of a session, and returns
 * their number: fewer than `batchMax` means that none are left. A row that is changed meanwhile so that it no longer
 * meets the condition is kept.
 */
export async function deleteOldRows(
  query: Query,
  name: StatementName,
  { table, where, parameters = [] }: OldRows,
  batchMax: number,
): Promise<number> {
  // By their places, whatever statistics say of a table that has just grown: joined by key, each batch might read all of it. The
  // condition is repeated, because a place may have another row by then, and PostgreSQL checks only this part again. IS TRUE keeps
  // it from an index, whose rows would each be looked for in the whole array.
  const sql = `
    WITH deleted AS (
      DELETE FROM ${table} WHERE (${where}) IS TRUE AND ctid = ANY(ARRAY(
        SELECT ctid FROM ${table} WHERE ${where} LIMIT $${parameters.length + 1}
      ))
      RETURNING 1
    )
    SELECT count(*)::integer AS deleted FROM deleted`;
  const [row] = await query<{ deleted: number }>(name, sql, [...parameters, batchMax]);
  return row?.deleted ?? 0;
}
