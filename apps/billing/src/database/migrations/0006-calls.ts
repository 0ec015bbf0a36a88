import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What explains the price of a call (its filters, how many creators matched), and what makes its repetition free.
 * Constraints are validated by the next migration, so that no table is scanned under an exclusive lock.
 */
export class Calls1796256000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE charges
        ADD COLUMN filters text,
        ADD COLUMN total integer,
        ADD COLUMN idempotency_key_hash text,
        ADD COLUMN fingerprint text,
        ADD COLUMN repeat_of uuid,
        DROP CONSTRAINT charges_refusal_known,
        ADD CONSTRAINT charges_refusal_known CHECK (
          refusal IN ('insufficient_credits', 'key_revoked', 'idempotency_key_reused', 'earlier_call_pending')
        ) NOT VALID,
        ADD CONSTRAINT charges_total_not_negative CHECK (total >= 0) NOT VALID,
        ADD CONSTRAINT charges_search_details CHECK (
          operation = 'search' OR (filters IS NULL AND total IS NULL)
        ) NOT VALID,
        ADD CONSTRAINT charges_idempotency_whole CHECK (
          (idempotency_key_hash IS NULL) = (fingerprint IS NULL)
        ) NOT VALID,
        ADD CONSTRAINT charges_repeat_free CHECK (
          repeat_of IS NULL OR (credits = 0 AND idempotency_key_hash IS NULL)
        ) NOT VALID`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}
