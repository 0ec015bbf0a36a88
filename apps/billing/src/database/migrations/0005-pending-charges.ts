import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Pending charges are in a partition of their own, which stays small and has three indexes. A charge that ends moves to the
 * large one: its row and its entries in the indexes are written once, not twice. Statements still name `charges`, and those
 * of the version before work on both. Calls wait while the table is checked and the index of entries is built.
 */
export class PendingCharges1797120004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...withoutForeignKeys,
      ...makePartitioned,
      keepPrivileges,
      movePending,
      attachEnded,
      ...indexes,
      keepCharges,
      applyEntries,
      applyAsOwner,
      ...entriesByAccount,
    ]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** A charge has no single table to refer to; the trigger on entries finds the lot that the other key looked for once more. */
const withoutForeignKeys = [
  'ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_charge_fk',
  'ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_lot_fk',
];

/**
 * Both partitions have the checks, and each its own key: that of a partitioned table would include the state. Rows leave the
 * pending one all the time, so it is vacuumed by their number.
 */
const makePartitioned = [
  'ALTER TABLE charges RENAME TO charges_ended',
  'DROP INDEX charges_pending',
  'DROP INDEX charges_pending_of_account',
  'CREATE TABLE charges (LIKE charges_ended INCLUDING CONSTRAINTS) PARTITION BY LIST (state)',
  `CREATE TABLE charges_pending PARTITION OF charges (CONSTRAINT charges_pending_pk PRIMARY KEY (id))
    FOR VALUES IN ('pending')
    WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
];

/** Replicas of the version before go on meanwhile: the role that they run with has on the new table what it had on the old one. */
const keepPrivileges = `
DO $$
DECLARE
  had record;
BEGIN
  FOR had IN
    SELECT privilege_type AS privilege, '' AS columns, grantee::regrole AS role
    FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = 'charges_ended'::regclass AND grantee NOT IN (0, relowner)
    UNION ALL
    SELECT privilege_type, format('(%I)', attname), grantee::regrole
    FROM pg_attribute, aclexplode(attacl) WHERE attrelid = 'charges_ended'::regclass AND grantee <> 0
  LOOP
    EXECUTE format('GRANT %s %s ON charges TO %s', had.privilege, had.columns, had.role);
  END LOOP;
END $$`;

const movePending = `
WITH pending AS (DELETE FROM charges_ended WHERE state = 'pending' RETURNING *)
INSERT INTO charges SELECT * FROM pending`;

const attachEnded = `
ALTER TABLE charges ATTACH PARTITION charges_ended FOR VALUES IN ('posted', 'voided', 'refused')`;

/** Request ids that callers do not give ascend in time: the next one is on the page of the last one. */
const indexes = [
  'CREATE INDEX charges_pending_of_account ON charges_pending (account_id, pending_until)',
  `CREATE INDEX charges_pending_idempotent ON charges_pending (idempotency_key_hash, created_at)
    WHERE idempotency_key_hash IS NOT NULL`,
  'DROP INDEX charges_of_request',
  'CREATE INDEX charges_of_request ON charges_ended (request_id, account_id)',
];

/** What a foreign key of the entries ensured before. */
const keepCharges = `
CREATE FUNCTION refuse_charge_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a charge that took credits is kept' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER charges_kept BEFORE DELETE ON charges_ended
  FOR EACH ROW WHEN (OLD.credits > 0 AND OLD.state <> 'refused') EXECUTE FUNCTION refuse_charge_removal()`;

/** An entry is of a lot of its account: lots are never deleted. */
const applyEntries = `
CREATE OR REPLACE FUNCTION apply_entries_to_lots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account_ids uuid[];
  lot_ids uuid[];
  sums integer[];
  found_lots integer;
BEGIN
  SELECT array_agg(account_id), array_agg(lot_id), array_agg(credits) INTO account_ids, lot_ids, sums
    FROM (SELECT account_id, lot_id, sum(credits)::integer AS credits FROM inserted GROUP BY account_id, lot_id) AS changes;
  UPDATE lots
    SET remaining = lots.remaining + change.credits, is_open = lots.is_open OR lots.remaining + change.credits > 0
    FROM unnest(account_ids, lot_ids, sums) AS change (account_id, lot_id, credits)
    WHERE lots.id = change.lot_id AND lots.account_id = change.account_id;
  GET DIAGNOSTICS found_lots = ROW_COUNT;
  IF found_lots <> coalesce(cardinality(lot_ids), 0) THEN
    RAISE EXCEPTION 'an entry is of a lot of its account' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$`;

/** Replacing a function takes these settings from it. */
const applyAsOwner = `
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION apply_entries_to_lots() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$`;

/** One index in place of two. What a lot's entries were looked up for is found by the pending charges of its account. */
const entriesByAccount = [
  'ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_pk',
  'DROP INDEX ledger_entries_of_account',
  'DROP INDEX ledger_entries_of_lot',
  'ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_pk PRIMARY KEY (account_id, id)',
];
