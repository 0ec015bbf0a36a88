import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { retried } from './0011-ledger-months.js';

/**
 * The months of the ledger are found by the bounds of their partitions, whatever these are called. A default partition takes what no
 * month is there for, and becomes the partition of its months as it is.
 */
export class DefaultMonths1797120018000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of functions) await runner.query(statement);
    for (const table of ['ledger_entries', 'charges_ended']) {
      await retried(() => runner.query('SELECT add_ledger_month($1)', [table]));
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const months = `
CREATE OR REPLACE FUNCTION ledger_months(parent regclass) RETURNS TABLE (starts timestamptz, ends timestamptz)
  LANGUAGE sql STABLE SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
  SELECT coalesce((regexp_match(bound, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz, '-infinity'),
    coalesce((regexp_match(bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz, 'infinity')
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid, pg_get_expr(relpartbound, pg_class.oid) AS bound
  WHERE inhparent = parent AND bound <> 'DEFAULT'
$$`;

/** From the first partition on, or from the present month, every instant before this one has a partition. */
const monthsUntil = `
CREATE OR REPLACE FUNCTION ledger_months_until(parent regclass) RETURNS timestamptz
  LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
DECLARE
  until timestamptz := least(date_trunc('month', ledger_now()), (SELECT min(ends) FROM ledger_months(parent)));
  further timestamptz;
BEGIN
  LOOP
    SELECT ends INTO further FROM ledger_months(parent) WHERE starts <= until AND until < ends;
    IF NOT FOUND THEN
      RETURN until;
    END IF;
    until := further;
  END LOOP;
END $$`;

/** The name, or the first of those with a number behind it that nothing else has. */
const freeName = `
CREATE OR REPLACE FUNCTION free_ledger_name(wanted text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  name text := wanted;
  number integer := 1;
BEGIN
  WHILE to_regclass(quote_ident(name)) IS NOT NULL OR to_regtype(quote_ident(name)) IS NOT NULL LOOP
    number := number + 1;
    name := wanted || '_' || number;
  END LOOP;
  RETURN name;
END $$`;

/** The whole months of two instants, as far as no partition has them. */
const freeBounds = `
CREATE OR REPLACE FUNCTION free_ledger_bounds(parent text, oldest timestamptz, newest timestamptz) RETURNS text
  LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT format('FOR VALUES FROM (%L) TO (%L)',
    greatest(date_trunc('month', oldest), max(ends) FILTER (WHERE ends <= oldest)),
    least(date_trunc('month', newest) + interval '1 month', min(starts) FILTER (WHERE starts > newest)))
  FROM ledger_months(parent::regclass)
$$`;

/** A partition is filled in before it is attached, so reads and charges go on. */
const createPartition = `
CREATE OR REPLACE FUNCTION create_ledger_partition(parent text, wanted text, bounds text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  partition text := free_ledger_name(wanted);
  columns text;
  suffix text;
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING CONSTRAINTS)', partition, parent);
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (%s)', partition, free_ledger_name(partition || '_pk'),
    CASE parent WHEN 'charges_ended' THEN 'id' ELSE 'account_id, created_at, id' END);
  IF parent = 'ledger_entries' THEN
    FOR suffix, columns IN VALUES
      ('_once_per_charge', '(charge_id, lot_id, type) WHERE charge_id IS NOT NULL'),
      ('_one_purchase', '(lot_id) WHERE type = ''purchase'''),
      ('_once_per_adjustment', '(adjustment_id, lot_id) WHERE adjustment_id IS NOT NULL')
    LOOP
      EXECUTE format('CREATE UNIQUE INDEX %I ON %I %s', free_ledger_name(partition || suffix), partition, columns);
    END LOOP;
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', parent, partition, bounds);
END $$`;

/**
 * Adds to one of both tables its default partition, or a month unless there are three ahead, and returns how many partitions it got.
 * A default partition that has rows becomes their month: it is detached for that, and read once meanwhile. The sweep does so within
 * seconds of the first row unless something prevents it. Gives up where it would have to wait for a lock.
 */
const addMonth = `
CREATE OR REPLACE FUNCTION add_ledger_month(parent text) RETURNS integer
  LANGUAGE plpgsql SET lock_timeout = '200ms' SET timezone = 'UTC' AS $$
DECLARE
  prefix text := replace(parent, '_ended', '');
  spare regclass;
  oldest timestamptz;
  newest timestamptz;
  month text;
BEGIN
  IF parent NOT IN ('ledger_entries', 'charges_ended') THEN
    RAISE EXCEPTION '% has no months', parent;
  END IF;
  PERFORM pg_advisory_xact_lock(4711011);
  SELECT nullif(partdefid, 0)::regclass INTO spare FROM pg_partitioned_table WHERE partrelid = parent::regclass;
  IF spare IS NULL THEN
    PERFORM create_ledger_partition(parent, prefix || '_default', 'DEFAULT');
    RETURN 1;
  END IF;
  EXECUTE format('SELECT min(created_at), max(created_at) FROM %s', spare) INTO oldest, newest;
  IF oldest IS NOT NULL THEN
    month := free_ledger_name(prefix || to_char(newest, '_YYYY_MM'));
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %s', parent, spare);
    EXECUTE format('ALTER TABLE %s RENAME TO %I', spare, month);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', parent, month, free_ledger_bounds(parent, oldest, newest));
    PERFORM create_ledger_partition(parent, prefix || '_default', 'DEFAULT');
    RETURN 1;
  END IF;
  oldest := ledger_months_until(parent);
  IF oldest > date_trunc('month', ledger_now()) + interval '3 months' THEN
    RETURN 0;
  END IF;
  PERFORM create_ledger_partition(parent, prefix || to_char(oldest, '_YYYY_MM'), free_ledger_bounds(parent, oldest, oldest));
  RETURN 1;
END $$`;

/** For operators, and replicas of the version before. */
const addMonths = `
CREATE OR REPLACE FUNCTION add_ledger_months() RETURNS integer LANGUAGE sql AS $$
  SELECT add_ledger_month('ledger_entries') + add_ledger_month('charges_ended')
$$`;

/** At most a thousand of each table are counted. */
const rowsWithoutMonth = `
CREATE OR REPLACE FUNCTION ledger_rows_without_month() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  spare regclass;
  found_rows bigint;
  total bigint := 0;
BEGIN
  FOR spare IN SELECT partdefid::regclass FROM pg_partitioned_table
    WHERE partrelid IN ('ledger_entries'::regclass, 'charges_ended'::regclass) AND partdefid <> 0
  LOOP
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %s LIMIT 1000) AS first_rows', spare) INTO found_rows;
    total := total + found_rows;
  END LOOP;
  RETURN total;
END $$`;

/** They do what their caller may not, in the schema where the migration has found it. Anybody may add months: there are never more. */
const asOwner = `
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['add_ledger_month(text)', 'ledger_rows_without_month()'] LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', name, current_schema());
  END LOOP;
END $$`;

const functions = [
  months,
  monthsUntil,
  freeName,
  freeBounds,
  createPartition,
  addMonth,
  addMonths,
  rowsWithoutMonth,
  asOwner,
];
