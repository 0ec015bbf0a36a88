import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * When the sweep next looks whether accounts that were opened by sign-up, and people, are in use, and the indexes of what refers to
 * them. Existing accounts count as made by operators: it was not recorded. Everything goes on while the indexes are
 * built, which no transaction allows, so each statement can be repeated.
 */
export class UnusedAccounts1797000017000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
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

/** No table is rewritten. Networks are compared by their beginnings, which an index serves in the collation "C" only. */
const columns = `
ALTER TABLE accounts
  ADD COLUMN IF NOT EXISTS signed_up_from text COLLATE "C",
  ADD COLUMN IF NOT EXISTS next_check_at timestamptz(3);
ALTER TABLE people ADD COLUMN IF NOT EXISTS next_check_at timestamptz(3) NOT NULL DEFAULT '-infinity'`;

const indexes = [
  ['accounts_to_check', 'accounts (next_check_at) WHERE next_check_at IS NOT NULL'],
  ['accounts_signed_up', 'accounts (signed_up_from) WHERE signed_up_from IS NOT NULL'],
  ['people_to_check', 'people (next_check_at) WHERE refused_email IS NULL'],
  ['agreements_of_account', 'agreements (account_id)'],
  ['charge_tombstones_of_account', 'charge_tombstones (account_id)'],
  ['sessions_of_account', 'sessions (account_id) WHERE account_id IS NOT NULL'],
  ['sign_ins_of_account', 'sign_ins (account_id) WHERE account_id IS NOT NULL'],
  ['api_keys_of_maker', 'api_keys (created_by) WHERE created_by IS NOT NULL'],
  ['deliveries_of_person', 'deliveries (person_id) WHERE person_id IS NOT NULL'],
  ['invitations_of_inviter', 'invitations (invited_by)'],
] as const;
