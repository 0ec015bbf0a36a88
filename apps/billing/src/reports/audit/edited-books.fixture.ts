import { type Transaction, TransactionRunner } from '#platform/database';
import { type LedgerFixture } from '../../ledger/ledger.fixture.js';
import { dropUniqueIndexes } from './unique-entries.fixture.js';

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
