import { observed } from '@app/platform';
import { type DataSource } from 'typeorm';

/** Runs one statement and gives its rows, those of RETURNING too. */
export type Query = <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** A statement that is still to be sent. */
export interface SqlStatement {
  readonly sql: string;
  readonly parameters: unknown[];
}

/** Sends statements in their order, without waiting for an answer between them. */
export function sendAll(query: Query, statements: readonly SqlStatement[]): Promise<unknown>[] {
  return statements.map(({ sql, parameters }) => query(sql, parameters));
}

/** Statements outside of any transaction, each on whichever connection is free; for reading. */
export function autocommitQuery(dataSource: DataSource): Query {
  return observed(<Row>(sql: string, parameters?: unknown[]) => dataSource.query<Row[]>(sql, parameters));
}
