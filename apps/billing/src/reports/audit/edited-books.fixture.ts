import { type Transaction, TransactionRunner } from '#platform/database';
import { type LedgerFixture, type TestQuery } from '../../ledger/ledger.fixture.js';

/** Drops the unique indexes of entries, which each month has: they refuse what the audit has to find. */
export async function dropUniqueIndexes(query: TestQuery): Promise<void> {
  const indexes = await query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_inherits ON inhrelid = indrelid
     WHERE inhparent = 'ledger_entries'::regclass AND indisunique AND NOT indisprimary`,
  );
  await query(`DROP INDEX ${indexes.map(({ name }) => name).join(', ')}`);
}

/** The schema refuses nearly all edits; an attacker who can make them can switch that off. */
export async function dropGuards({ query }: LedgerFixture): Promise<void> {
  await dropUniqueIndexes(query);
  const guards = await query<{ sql: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS sql FROM pg_constraint
     WHERE contype IN ('c', 'u')
       AND conrelid::regclass::text IN ('ledger_entries', 'lots', 'charges', 'orders', 'lot_refunds', 'adjustments')`,
  );
  for (const { sql } of guards) await query(sql);
}

/** Reads what an edit has changed, and undoes it. Triggers and foreign keys do not apply to the edit. */
export class EditedBooks extends TransactionRunner {
  constructor(
    { owner }: LedgerFixture,
    private readonly sql: string,
  ) {
    super(owner);
  }

  override snapshot<Result>(read: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.run(async (transaction) => {
      await transaction.query('test', `SET LOCAL session_replication_role = 'replica'; ${this.sql}`);
      const result = await read(transaction);
      await transaction.query('test', 'ROLLBACK');
      return result;
    });
  }
}
