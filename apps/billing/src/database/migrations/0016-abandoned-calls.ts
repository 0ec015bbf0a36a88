import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { withoutWaiting } from './0011-ledger-months.js';

/** Which calls their clients left in the middle of the answer, and how many of them were free. Calls go on meanwhile. */
export class AbandonedCalls1797120015000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withoutWaiting(runner, [marks, ...abandonedCalls]);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** Whether posted or voided, it says why. */
const marks = `
ALTER TABLE charges
  ADD COLUMN is_abandoned boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT charges_abandoned_once_taken
    CHECK (NOT is_abandoned OR (state IN ('posted', 'voided') AND credits > 0))`;

/** The charges of an account refer to it: these rows need not. */
const abandonedCalls = [
  `CREATE TABLE abandoned_calls (
    account_id uuid,
    day date,
    free integer NOT NULL CONSTRAINT abandoned_calls_free_not_negative CHECK (free >= 0),
    paid integer NOT NULL CONSTRAINT abandoned_calls_paid_not_negative CHECK (paid >= 0),
    paid_until timestamptz(3) NOT NULL,
    CONSTRAINT abandoned_calls_pk PRIMARY KEY (account_id, day)
  )`,
  'CREATE INDEX abandoned_calls_age ON abandoned_calls (day)',
];
