/** The months of the ledger: `ledger_entries` and `charges_ended` have a partition for each (UTC), and a default one. */
export const ledgerMonths = `
-- The bounds of the months that a table has, whatever their partitions are called.
CREATE FUNCTION ledger_months(parent regclass) RETURNS TABLE (starts timestamptz, ends timestamptz)
  LANGUAGE sql STABLE SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
  SELECT coalesce((regexp_match(bound, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz, '-infinity'),
    coalesce((regexp_match(bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz, 'infinity')
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid, pg_get_expr(relpartbound, pg_class.oid) AS bound
  WHERE inhparent = parent AND bound <> 'DEFAULT'
$$;

-- From the first partition on, or from the present month, every instant before this one has a partition.
CREATE FUNCTION ledger_months_until(parent regclass) RETURNS timestamptz
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
END $$;

-- The name, or the first of those with a number behind it that nothing else has.
CREATE FUNCTION free_ledger_name(wanted text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  name text := wanted;
  number integer := 1;
BEGIN
  WHILE to_regclass(quote_ident(name)) IS NOT NULL OR to_regtype(quote_ident(name)) IS NOT NULL LOOP
    number := number + 1;
    name := wanted || '_' || number;
  END LOOP;
  RETURN name;
END $$;

-- The whole months of two instants, as far as no partition has them.
CREATE FUNCTION free_ledger_bounds(parent text, oldest timestamptz, newest timestamptz) RETURNS text
  LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT format('FOR VALUES FROM (%L) TO (%L)',
    greatest(date_trunc('month', oldest), max(ends) FILTER (WHERE ends <= oldest)),
    least(date_trunc('month', newest) + interval '1 month', min(starts) FILTER (WHERE starts > newest)))
  FROM ledger_months(parent::regclass)
$$;

-- A partition is filled in before it is attached, so reads and charges continue. It gets its other indexes from the table. An
-- id is unique in its month.
CREATE FUNCTION create_ledger_partition(parent text, wanted text, bounds text) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;

-- Adds to one of both tables its default partition, or a month unless there are three ahead, and returns how many
-- partitions it got. A default partition that has rows becomes their month: it is detached for that, and read once
-- meanwhile. The sweep does so within seconds of the first row unless something prevents it. Gives up where it would have
-- to wait for a lock. 4711011 is the advisory lock of these partitions (advisory-locks.ts). Runs as the owner of the
-- tables; any role may add months: there are never more.
CREATE FUNCTION add_ledger_month(parent text) RETURNS integer
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
END $$;

-- For operators.
CREATE FUNCTION add_ledger_months() RETURNS integer LANGUAGE sql AS $$
  SELECT add_ledger_month('ledger_entries') + add_ledger_month('charges_ended')
$$;

-- For the alert on rows in a default partition. At most a thousand of each table are counted.
CREATE FUNCTION ledger_rows_without_month() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
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
END $$;

-- Months that have left the database as files.
CREATE TABLE ledger_archives (
  name text CONSTRAINT ledger_archives_pk PRIMARY KEY,
  parent text NOT NULL CONSTRAINT ledger_archives_parent_known CHECK (parent IN ('ledger_entries', 'charges_ended')),
  ends timestamptz(3) NOT NULL,
  rows bigint NOT NULL CONSTRAINT ledger_archives_rows_not_negative CHECK (rows >= 0),
  bytes bigint NOT NULL CONSTRAINT ledger_archives_bytes_positive CHECK (bytes > 0),
  sha256 text NOT NULL CONSTRAINT ledger_archives_sha256_shape CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  archived_at timestamptz(3) NOT NULL
);

-- Entries from before this instant are in archives: the database may still have them, but nothing reads them there.
CREATE FUNCTION ledger_online_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(max(ends), '-infinity') FROM ledger_archives WHERE parent = 'ledger_entries'
$$;

-- These do what their caller may not, in the schema of the tables, whatever search path the caller has set.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['apply_entries_to_lots()', 'add_ledger_month(text)', 'ledger_rows_without_month()'] LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', name, current_schema());
  END LOOP;
END $$;

-- The first partition has all that is before the next month, also when a clock is set back.
DO $$
DECLARE
  next_month timestamptz := (date_trunc('month', ledger_now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
  parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['ledger_entries', 'charges_ended'] LOOP
    PERFORM create_ledger_partition(parent,
      replace(parent, '_ended', '') || to_char(next_month AT TIME ZONE 'UTC', '_"before"_YYYY_MM'),
      format('FOR VALUES FROM (MINVALUE) TO (%L)', next_month));
  END LOOP;
  LOOP
    EXIT WHEN add_ledger_months() = 0;
  END LOOP;
END $$;
`;
