import { setTimeout as delay } from 'node:timers/promises';
import { databaseCode } from '#platform/database';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { chargeIfUnchanged } from './0011-charge-if-unchanged.js';

/**
 * Charges that have ended, and entries, are partitioned by the month (UTC) in which they were made. What is there becomes the first
 * partition as it is. Calls go on: rows are checked and indexed before the one short transaction that exchanges the tables, which
 * is tried again while somebody holds a lock. Statements name `charges` and `ledger_entries` as before. Run again, it begins anew.
 */
export class LedgerMonths1797120010000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    if (!(await isPartitioned(runner))) {
      const end = await endOfFirst(runner);
      for (const table of ['charges_ended', 'ledger_entries']) {
        await withoutWaiting(runner, [dropCheck(table)]);
      }
      await withoutWaiting(runner, [addCheck('charges_ended', `created_at < '${end}' AND ${isEnded}`)]);
      await withoutWaiting(runner, [addCheck('ledger_entries', `created_at < '${end}'`)]);
      for (const statement of beforehand) await runner.query(statement);
      await withoutWaiting(runner, [...locks, ...exchange(end), ...functions]);
    }
    while ((await addedMonths(runner)) > 0);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

async function isPartitioned(runner: QueryRunner): Promise<boolean> {
  const rows = (await runner.query(
    `SELECT FROM pg_class WHERE oid = 'charges_ended'::regclass AND relkind = 'p'`,
  )) as unknown[];
  return rows.length > 0;
}

/** A month begins then, in a week or later: until the tables are exchanged, no row can be made after it. */
async function endOfFirst(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query(
    `SELECT to_char(ledger_now() AT TIME ZONE 'UTC' + interval '7 days' + interval '1 month', 'YYYY-MM-01 00:00:00+00') AS end`,
  )) as { end: string }[];
  if (!row) throw new Error('the clock gave no row');
  return row.end;
}

async function addedMonths(runner: QueryRunner): Promise<number> {
  let added = 0;
  await retried(async () => {
    const [row] = (await runner.query('SELECT add_ledger_months() AS added')) as { added: number }[];
    added = row?.added ?? 0;
  });
  return added;
}

const lockTimeoutMs = 200;
const retryMs = 1_000;
const lockAttempts = 600;

/** One transaction that gives up its place in the queue soon, so that calls never wait long behind it. */
export async function withoutWaiting(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  await retried(async () => {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      for (const statement of statements) await runner.query(statement);
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  });
}

/** Again while somebody holds a lock (`lock_not_available`, `deadlock_detected`). */
export async function retried(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!['55P03', '40P01'].includes(databaseCode(error) ?? '') || attempt === lockAttempts) throw error;
      await delay(retryMs);
    }
  }
}

const isEnded = `state IN ('posted', 'voided', 'refused')`;
const dropCheck = (table: string): string =>
  `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_of_first`;
const addCheck = (table: string, check: string): string =>
  `ALTER TABLE ${table} ADD CONSTRAINT ${table}_of_first CHECK (${check}) NOT VALID`;

/** What takes long; calls go on meanwhile. Statements are paged by the new index of entries, month by month. */
const beforehand = [
  'ALTER TABLE charges VALIDATE CONSTRAINT charges_refusal_known',
  'ALTER TABLE charges_ended VALIDATE CONSTRAINT charges_ended_of_first',
  'ALTER TABLE ledger_entries VALIDATE CONSTRAINT ledger_entries_of_first',
  'DROP INDEX CONCURRENTLY IF EXISTS ledger_entries_by_time',
  'CREATE UNIQUE INDEX CONCURRENTLY ledger_entries_by_time ON ledger_entries (account_id, created_at, id)',
];

/** In the order of a charge; what the foreign keys refer to last. */
const locks = [
  'LOCK TABLE charges, ledger_entries IN ACCESS EXCLUSIVE MODE',
  'LOCK TABLE accounts, adjustments, api_keys IN SHARE ROW EXCLUSIVE MODE',
];

/** Foreign keys and indexes of the new tables are those that their first partition has: nothing is read for them. */
function exchange(end: string): string[] {
  const month = end.slice(0, 7).replace('-', '_');
  const charges = `charges_before_${month}`;
  const entries = `ledger_entries_before_${month}`;
  const range = `FOR VALUES FROM (MINVALUE) TO ('${end}')`;
  return [
    'ALTER TABLE charges DETACH PARTITION charges_ended',
    `ALTER TABLE charges_ended RENAME TO ${charges}`,
    `DROP TRIGGER charges_kept ON ${charges}`,
    renameIndexes(charges, 'charges_'),
    `CREATE TABLE charges_ended (LIKE charges INCLUDING CONSTRAINTS) PARTITION BY RANGE (created_at)`,
    ...chargesParts,
    `ALTER TABLE charges_ended ATTACH PARTITION ${charges} ${range}`,
    `ALTER TABLE charges ATTACH PARTITION charges_ended FOR VALUES IN ('posted', 'voided', 'refused')`,
    `ALTER TABLE ${charges} DROP CONSTRAINT charges_ended_of_first`,
    takePrivileges(charges, null),

    `ALTER TABLE ledger_entries RENAME TO ${entries}`,
    'DROP TRIGGER ledger_entries_append_only ON ' + entries,
    'DROP TRIGGER ledger_entries_not_truncated ON ' + entries,
    'DROP TRIGGER ledger_entries_apply ON ' + entries,
    `ALTER TABLE ${entries} DROP CONSTRAINT ledger_entries_pk`,
    `ALTER TABLE ${entries} ADD CONSTRAINT ${entries}_pk PRIMARY KEY USING INDEX ledger_entries_by_time`,
    renameIndexes(entries, 'ledger_entries_'),
    `CREATE TABLE ledger_entries (LIKE ${entries} INCLUDING CONSTRAINTS) PARTITION BY RANGE (created_at)`,
    'ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_of_first',
    moveIdentity(entries),
    ...entriesParts,
    `ALTER TABLE ledger_entries ATTACH PARTITION ${entries} ${range}`,
    `ALTER TABLE ${entries} DROP CONSTRAINT ledger_entries_of_first`,
    takePrivileges(entries, 'ledger_entries'),
  ];
}

/** Names of indexes are unique in a schema: those of a partition begin with its name. */
function renameIndexes(partition: string, prefix: string): string {
  return `
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT indexrelid::regclass::text FROM pg_index
    WHERE indrelid = '${partition}'::regclass AND indexrelid::regclass::text NOT LIKE '${partition}%'
  LOOP
    EXECUTE format('ALTER INDEX %s RENAME TO %I', name, '${partition}_' || substr(name, ${prefix.length + 1}));
  END LOOP;
END $$`;
}

/** The table takes over the numbers of the entries; only then has the partition none of its own, which it may not have. */
function moveIdentity(partition: string): string {
  return `
DO $$
DECLARE
  newest bigint := nextval(pg_get_serial_sequence('${partition}', 'id'));
BEGIN
  ALTER TABLE ${partition} ALTER COLUMN id DROP IDENTITY;
  ALTER TABLE ledger_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY;
  PERFORM setval(pg_get_serial_sequence('ledger_entries', 'id'), newest);
END $$`;
}

/** Replicas go on: the role that they run with has on the new table what it had on the old one, and nothing on a partition. */
function takePrivileges(partition: string, table: string | null): string {
  return `
DO $$
DECLARE
  had record;
BEGIN
  FOR had IN SELECT privilege_type AS privilege, grantee::regrole AS role FROM pg_class, aclexplode(relacl)
    WHERE pg_class.oid = '${partition}'::regclass AND grantee NOT IN (0, relowner)
  LOOP
    ${table === null ? '' : `EXECUTE format('GRANT %s ON ${table} TO %s', had.privilege, had.role);`}
    EXECUTE format('REVOKE %s ON ${partition} FROM %s', had.privilege, had.role);
  END LOOP;
END $$`;
}

/** An id is unique in its month: each partition has a key of its own. */
const chargesParts = [
  'ALTER TABLE charges_ended ADD CONSTRAINT charges_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id)',
  'ALTER TABLE charges_ended ADD CONSTRAINT charges_key_fk FOREIGN KEY (key_id) REFERENCES api_keys (id)',
  'CREATE INDEX charges_of_account ON charges_ended (account_id, created_at)',
  'CREATE INDEX charges_of_key ON charges_ended (key_id, created_at)',
  'CREATE INDEX charges_of_request ON charges_ended (request_id, account_id)',
  `CREATE INDEX charges_idempotent ON charges_ended (idempotency_key_hash, created_at)
    WHERE idempotency_key_hash IS NOT NULL AND state IN ('pending', 'posted')`,
  `CREATE INDEX charges_free ON charges_ended (created_at) WHERE credits = 0 AND state = 'posted'`,
  `CREATE INDEX charges_refused ON charges_ended (created_at) WHERE state = 'refused'`,
  `CREATE TRIGGER charges_kept BEFORE DELETE ON charges_ended
    FOR EACH ROW WHEN (OLD.credits > 0 AND OLD.state <> 'refused') EXECUTE FUNCTION refuse_charge_removal()`,
];

const entriesParts = [
  'ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_pk PRIMARY KEY (account_id, created_at, id)',
  `ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_adjustment_fk
    FOREIGN KEY (adjustment_id) REFERENCES adjustments (id) DEFERRABLE INITIALLY DEFERRED`,
  `CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`,
  `CREATE TRIGGER ledger_entries_not_truncated BEFORE TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`,
  `CREATE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION apply_entries_to_lots()`,
];

/**
 * An entry is of a lot of its account. A purchase is of the instant in which its lot was made, so that its month's unique index
 * lets no second one in.
 */
const applyEntries = `
CREATE OR REPLACE FUNCTION apply_entries_to_lots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account_ids uuid[];
  lot_ids uuid[];
  sums integer[];
  purchases timestamptz[];
  found_lots integer;
BEGIN
  SELECT array_agg(account_id), array_agg(lot_id), array_agg(credits), array_agg(purchased)
    INTO account_ids, lot_ids, sums, purchases
    FROM (
      SELECT account_id, lot_id, sum(credits)::integer AS credits, max(created_at) FILTER (WHERE type = 'purchase') AS purchased
      FROM inserted GROUP BY account_id, lot_id
    ) AS changes;
  UPDATE lots
    SET remaining = lots.remaining + change.credits, is_open = lots.is_open OR lots.remaining + change.credits > 0
    FROM unnest(account_ids, lot_ids, sums, purchases) AS change (account_id, lot_id, credits, purchased)
    WHERE lots.id = change.lot_id AND lots.account_id = change.account_id
      AND (change.purchased IS NULL OR change.purchased = lots.created_at);
  GET DIAGNOSTICS found_lots = ROW_COUNT;
  IF found_lots <> coalesce(cardinality(lot_ids), 0) THEN
    RAISE EXCEPTION 'an entry is of a lot of its account, and a purchase of the instant of its lot'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$`;

/**
 * Adds one month to each of both tables unless there are three ahead, and returns how many tables got one. A partition is filled
 * in before it is attached, which stops nobody who reads or charges. The names say the months: \`charges_2026_12\` ends where
 * December does, \`charges_before_2026_12\` where December begins.
 */
const addMonths = `
CREATE FUNCTION add_ledger_months() RETURNS integer LANGUAGE plpgsql SET lock_timeout = '200ms' SET timezone = 'UTC' AS $$
DECLARE
  parent text;
  prefix text;
  month timestamptz;
  partition text;
  added integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(4711011);
  FOREACH parent IN ARRAY ARRAY['ledger_entries', 'charges_ended'] LOOP
    SELECT max(to_date(right(relname, 7), 'YYYY_MM') + CASE WHEN relname LIKE '%before%' THEN interval '0' ELSE interval '1 month' END)
      INTO month FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = parent::regclass;
    CONTINUE WHEN month > date_trunc('month', ledger_now()) + interval '3 months';
    prefix := replace(parent, '_ended', '');
    partition := prefix || to_char(month, '_YYYY_MM');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING CONSTRAINTS)', partition, parent);
    IF parent = 'charges_ended' THEN
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (id)', partition, partition || '_pk');
    ELSE
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (account_id, created_at, id)', partition, partition || '_pk');
      EXECUTE format('CREATE UNIQUE INDEX %I ON %I (charge_id, lot_id, type) WHERE charge_id IS NOT NULL',
        partition || '_once_per_charge', partition);
      EXECUTE format('CREATE UNIQUE INDEX %I ON %I (lot_id) WHERE type = ''purchase''', partition || '_one_purchase', partition);
      EXECUTE format('CREATE UNIQUE INDEX %I ON %I (adjustment_id, lot_id) WHERE adjustment_id IS NOT NULL',
        partition || '_once_per_adjustment', partition);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      parent, partition, month, month + interval '1 month');
    added := added + 1;
  END LOOP;
  RETURN added;
END $$`;

/** Both change what their caller may not, in the schema where the migration has found it. Anybody may add months: there are never more. */
const asOwner = `
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['apply_entries_to_lots', 'add_ledger_months'] LOOP
    EXECUTE format('ALTER FUNCTION %I() SECURITY DEFINER SET search_path = %I, pg_temp', name, current_schema());
  END LOOP;
END $$`;

const functions = [applyEntries, addMonths, asOwner, chargeIfUnchanged];
