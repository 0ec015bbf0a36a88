import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A role that may not change lots can still write entries: what these do to lots happens with the rights of the owner. */
export class RulesForALesserRole1795824000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(applyAsOwner);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/**
 * It finds `lots` where the migration found it, whatever search path the caller has set. Nobody else may tie it to a table
 * of their own, whose rows would then change lots; the trigger on `ledger_entries` needs no such right.
 */
const applyAsOwner = `
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION apply_entries_to_lots() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$;
REVOKE EXECUTE ON FUNCTION apply_entries_to_lots() FROM PUBLIC`;
