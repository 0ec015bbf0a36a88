import { deleteOldRows, type StatementName, type TransactionRunner } from '#platform/database';
import { type SweepStep } from './sweep.service.js';

/** Rows of one table that are deleted once they reach an age. */
export interface OldRows {
  readonly name: StatementName;
  readonly table: string;
  /** The columns of its primary key, separated by commas. */
  readonly key: string;
  /** The column by which the age is counted: that of the index which finds the rows. */
  readonly column: string;
  readonly ageMs: number;
  /** Which rows, as a condition in SQL. Default: all. */
  readonly where?: string;
}

/** Deletes old rows, oldest first. Locks no account, because nothing changes such rows any longer. */
export class OldRowsStep implements SweepStep {
  readonly name: StatementName;

  constructor(
    private readonly database: TransactionRunner,
    private readonly rows: OldRows,
  ) {
    this.name = rows.name;
  }

  run(batchSize: number): Promise<number> {
    const { name, table, key, column, ageMs, where = 'true' } = this.rows;
    const isOld = `${column} <= (SELECT ledger_now()) - make_interval(secs => $1)`;
    return deleteOldRows(
      this.database.query,
      `delete ${name}` as const,
      { table, key, where: `${where} AND ${isOld}`, parameters: [ageMs / 1_000], oldestBy: column },
      batchSize,
    );
  }
}
