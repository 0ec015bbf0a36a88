import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { buildMonthlyIndex } from './monthly-index.js';

/**
 * What a statement of one type needs to pass by the charges in between: an index of the other entries, and the balance after each of
 * them. Billing adds the balances of the past itself, and statements are right meanwhile.
 */
export class EntryBalances1797120014000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(entryBalances);
    await runner.query(cursor);
    await buildMonthlyIndex(runner, besidesCharges);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** A charge writes nothing into it. */
const besidesCharges = {
  name: 'ledger_entries_besides_charges',
  table: 'ledger_entries',
  how: "(account_id, type, created_at, id) WHERE type <> 'charge'",
};

const entryBalances = `
CREATE TABLE IF NOT EXISTS entry_balances (
  account_id uuid,
  created_at timestamptz(3),
  entry_id bigint,
  balance_after bigint NOT NULL,
  CONSTRAINT entry_balances_pk PRIMARY KEY (account_id, created_at, entry_id)
)`;

/** One row: every entry before this instant that is no charge has its balance. */
const cursor = `
CREATE TABLE IF NOT EXISTS entry_balances_cursor (
  id boolean CONSTRAINT entry_balances_cursor_pk PRIMARY KEY DEFAULT true
    CONSTRAINT entry_balances_cursor_one_row CHECK (id),
  balanced_until timestamptz(3) NOT NULL
)`;
