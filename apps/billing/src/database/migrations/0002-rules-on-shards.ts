import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The rules of the ledger as they were, written so that Citus enforces them on its shards too. */
export class RulesOnShards1795219200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...appendOnly, applyEntries]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** A shard takes no trigger that also guards against TRUNCATE, and would do without it silently. */
const appendOnly = [
  'DROP TRIGGER ledger_entries_append_only ON ledger_entries',
  `CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`,
  `CREATE TRIGGER ledger_entries_not_truncated BEFORE TRUNCATE ON ledger_entries
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`,
];

/** The rows that were inserted are read by a statement of their own: they can't be joined with a distributed table. */
const applyEntries = `
CREATE OR REPLACE FUNCTION apply_entries_to_lots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lot_ids uuid[];
  sums integer[];
BEGIN
  SELECT array_agg(lot_id), array_agg(credits) INTO lot_ids, sums
    FROM (SELECT lot_id, sum(credits)::integer AS credits FROM inserted GROUP BY lot_id) AS change;
  UPDATE lots
    SET remaining = lots.remaining + change.credits
    FROM unnest(lot_ids, sums) AS change (lot_id, credits)
    WHERE lots.id = change.lot_id;
  RETURN NULL;
END $$`;
