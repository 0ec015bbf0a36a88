import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Calls that cost nothing, by day: what is left of them when their charges are deleted. And the indexes by which old free
 * charges and deleted keys are found. Charges go on while these are built, which no transaction allows, so each
 * statement can be repeated.
 */
export class FreeCalls1797000013000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(freeCalls);
    await runner.query(
      'ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS is_kept boolean NOT NULL DEFAULT false',
    );
    for (const [name, definition] of indexes) {
      // One that was interrupted leaves an index that is not valid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definition}`);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** Of keys that may have been deleted since. */
const freeCalls = `
CREATE TABLE IF NOT EXISTS free_calls (
  account_id uuid CONSTRAINT free_calls_account_fk REFERENCES accounts (id),
  day date,
  key_id uuid,
  operation text CONSTRAINT free_calls_operation_known CHECK (operation IN ('search', 'profile')),
  calls integer NOT NULL CONSTRAINT free_calls_positive CHECK (calls > 0),
  last_at timestamptz(3) NOT NULL,
  CONSTRAINT free_calls_pk PRIMARY KEY (account_id, day, key_id, operation)
)`;

const indexes = [
  ['free_calls_age', 'free_calls (day)'],
  ['free_calls_of_key', 'free_calls (key_id, last_at)'],
  ['charges_free', `charges (created_at) WHERE credits = 0 AND state = 'posted'`],
  ['api_keys_deleted', 'api_keys (deleted_at) WHERE deleted_at IS NOT NULL AND NOT is_kept'],
  ['api_keys_of_account', 'api_keys (account_id, created_at)'],
] as const;
