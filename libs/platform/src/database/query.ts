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
