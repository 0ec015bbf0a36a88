import { type EntityManager } from 'typeorm';

/**
 * What a statement does, for example `insert charges`: a literal in lower case. So there are few names, and no text of a caller
 * is in one, because a `string` is refused by the compiler.
 */
export type StatementName = Lowercase<string>;

/**
 * Runs one statement and gives its rows, those of RETURNING too. The name labels its metric and its span; where statements are
 * kept prepared it is the name of the prepared statement too, so one name has one text.
 */
export type Query = <Row>(name: StatementName, sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** Whatever statements can be run on: a transaction, or a pool of connections outside of any. */
export interface Queryable {
  readonly query: Query;
}

/** Whatever entities can be found and changed on: a transaction, a pool of connections, or a `Repository`. */
export interface Managed {
  readonly manager: EntityManager;
}

/** A statement that is still to be sent. */
export interface SqlStatement {
  readonly name: StatementName;
  readonly sql: string;
  readonly parameters: unknown[];
}

/** Sends statements in their order, without waiting for an answer between them. */
export function sendAll(query: Query, statements: readonly SqlStatement[]): Promise<unknown>[] {
  return statements.map(({ name, sql, parameters }) => query(name, sql, parameters));
}
