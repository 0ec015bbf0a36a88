import { availableParallelism } from 'node:os';
import { withClient } from '@app/local-stack';
import { type Client } from 'pg';
import { DataSource } from 'typeorm';
import { billingMigrationOptions } from '../../apps/billing/src/database/data-source.js';

const accounts = 1_000;
const creditsForCalls = 2_000_000_000;
const periodMs = 30 * 86_400_000;
/** Of one transaction. */
const callsAtOnce = 200_000;

export interface History {
  /** Posted charges, evenly over the time. */
  readonly count: number;
  /** Of 30 days each. */
  readonly periods: number;
  /** An empty directory of PostgreSQL's user, where months before the present one are kept. */
  readonly oldMonths?: string | undefined;
}

/** Without triggers, foreign keys among them: the sums agree. */
const session = `
  SET session_replication_role = replica;
  SET synchronous_commit = off;
  SET timezone = 'UTC'`;

/** As if the ledger had its months since then: what the migration has made is empty. */
const calendarSince = (since: Date): string => `
  DO $$
  DECLARE
    part record;
    first timestamptz := date_trunc('month', timestamptz '${since.toISOString()}', 'UTC');
    name text;
  BEGIN
    FOR part IN SELECT inhparent::regclass::text AS parent, relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent IN ('ledger_entries'::regclass, 'charges_ended'::regclass)
    LOOP
      EXECUTE format('ALTER TABLE %s DETACH PARTITION %I', part.parent, part.relname);
      IF part.relname LIKE '%before%' THEN
        name := left(part.relname, -7) || to_char(first, 'YYYY_MM');
        EXECUTE format('ALTER TABLE %I RENAME TO %I', part.relname, name);
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', part.parent, name, first);
      ELSE
        EXECUTE format('DROP TABLE %I', part.relname);
      END IF;
    END LOOP;
    WHILE add_ledger_months() > 0 LOOP END LOOP;
  END $$`;

const moveOldMonths = `
  DO $$
  DECLARE
    part regclass;
    index regclass;
  BEGIN
    FOR part IN SELECT inhrelid FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent IN ('ledger_entries'::regclass, 'charges_ended'::regclass)
        AND right(relname, 7) < to_char(ledger_now() AT TIME ZONE 'UTC', 'YYYY_MM')
    LOOP
      EXECUTE format('ALTER TABLE %s SET TABLESPACE old_months', part);
      FOR index IN SELECT indexrelid FROM pg_index WHERE indrelid = part LOOP
        EXECUTE format('ALTER INDEX %s SET TABLESPACE old_months', index);
      END LOOP;
    END LOOP;
  END $$`;

/** Each customer has a lot for each period, which its charges empty by the time it expires. */
const prepare = (since: Date, periods: number): string => `
  CREATE SCHEMA history;
  CREATE FUNCTION history.uuid7(at timestamptz) RETURNS uuid LANGUAGE sql AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
      || '-7' || substr(gen_random_uuid()::text, 16))::uuid
  $$;
  CREATE TABLE history.customers AS
    SELECT number, gen_random_uuid() AS account_id, gen_random_uuid() AS key_id FROM generate_series(1, ${accounts}) AS number;
  CREATE TABLE history.lots AS
    SELECT customers.*, period, gen_random_uuid() AS lot_id,
      timestamptz '${since.toISOString()}' + period * interval '30 days' AS purchased_at
    FROM history.customers, generate_series(0, ${periods}) AS period;
  CREATE TABLE history.taken (lot_id uuid, credits bigint);
  INSERT INTO accounts (id, name, email, created_at)
    SELECT account_id, 'Account ' || number, 'owner-' || number || '@example.com', '${since.toISOString()}' FROM history.customers;
  INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at)
    SELECT key_id, account_id, 'server', encode(sha256(key_id::text::bytea), 'hex'), 'csk_test', 1, '${since.toISOString()}'
    FROM history.customers`;

/**
 * Calls `$1` to `$2` of `$3`, in the order of time, in which the gateway's ids ascend. Entries of all accounts ascend with them,
 * although months are filled beside each other: before those of a period is room for its purchases.
 */
const calls = `
  WITH calls AS MATERIALIZED (
    SELECT timed.number, timed.period, at, history.uuid7(at) AS id, account_id, key_id, lot_id
    FROM (
      SELECT number, floor((number - 0.5) * $4::integer / $3)::integer AS period,
        $5::timestamptz + $4 * interval '30 days' * ((number - 0.5) / $3) AS at, 1 + floor(random() * ${accounts}) AS customer
      FROM generate_series($1::integer, $2::integer) AS number
    ) AS timed
    JOIN history.lots ON lots.number = customer AND lots.period = timed.period
    ORDER BY timed.number
  ), charged AS (
    INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at,
      pending_until, settled_at, filters, total)
    SELECT id, account_id, key_id, history.uuid7(at)::text, 'search', 3, 'posted', 1000, at,
      at + interval '30 seconds', at + interval '50 milliseconds', 'q,country', 1234
    FROM calls
  ), entered AS (
    INSERT INTO ledger_entries (id, account_id, lot_id, type, credits, charge_id, created_at) OVERRIDING SYSTEM VALUE
    SELECT number + (period + 1) * ${accounts + 1}, account_id, lot_id, 'charge', -3, id, at FROM calls
  )
  INSERT INTO history.taken SELECT lot_id, 3 * count(*) FROM calls GROUP BY lot_id`;

/** The lots that were bought, and one of each account for the calls to come. */
const finish = `
  INSERT INTO lots (id, account_id, pack, reference, credits, remaining, price_cents, purchased_at, expires_at, created_at, is_open)
    SELECT lot_id, account_id, 'scale', 'order ' || period, coalesce(taken, ${creditsForCalls}),
      CASE WHEN taken IS NULL THEN ${creditsForCalls} ELSE 0 END, 59900, purchased_at,
      purchased_at + interval '30 days', purchased_at, taken IS NULL
    FROM history.lots LEFT JOIN (SELECT lot_id, sum(credits) AS taken FROM history.taken GROUP BY lot_id) AS sums USING (lot_id)
    WHERE taken IS NOT NULL OR period = $2
    ORDER BY purchased_at, number;
  INSERT INTO ledger_entries (id, account_id, lot_id, type, credits, created_at) OVERRIDING SYSTEM VALUE
    SELECT ceil(period * $1::numeric / $2)::bigint + period * ${accounts + 1} + number, lots.account_id, id, 'purchase', lots.credits, lots.created_at
    FROM lots JOIN history.lots AS bought ON bought.lot_id = lots.id;
  SELECT setval(pg_get_serial_sequence('ledger_entries', 'id'), $1 + ($2 + 1) * ${accounts + 1});
  DROP SCHEMA history CASCADE`;

/** Migrates the database, and fills one without accounts with posted charges of so many past periods. */
export async function makeHistory(url: string, { count, periods, oldMonths }: History): Promise<void> {
  const dataSource = await new DataSource(billingMigrationOptions(url)).initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  const found = await dataSource.query<unknown[]>('SELECT FROM accounts LIMIT 1');
  await dataSource.destroy();
  if (found.length > 0) return;
  const since = new Date(Date.now() - periods * periodMs);
  await onClient(url, async (client) => {
    await client.query(calendarSince(since));
    if (oldMonths !== undefined) {
      await client.query(`CREATE TABLESPACE old_months LOCATION '${oldMonths}'`);
      await client.query(moveOldMonths);
    }
    await client.query(prepare(since, periods));
  });
  const months = monthsOf(since, { count, periods });
  const fill = (): Promise<void> =>
    onClient(url, async (client) => {
      for (let month = months.shift(); month; month = months.shift()) {
        for (let from = month.from; from <= month.to; from += callsAtOnce) {
          const to = Math.min(month.to, from + callsAtOnce - 1);
          await client.query(calls, [from, to, count, periods, since]);
        }
      }
    });
  await Promise.all(Array.from({ length: availableParallelism() }, fill));
  await onClient(url, (client) =>
    client.query(finish.replaceAll('$1', String(count)).replaceAll('$2', String(periods))),
  );
}

function onClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  return withClient(url, async (client) => {
    await client.query(session);
    return work(client);
  });
}

/** The numbers of the calls of each month in UTC: one connection fills a month, so that its rows lie in the order of time. */
function monthsOf(
  since: Date,
  { count, periods }: History,
): { readonly from: number; readonly to: number }[] {
  const before = (at: number): number =>
    Math.min(count, Math.floor(((at - since.getTime()) / (periods * periodMs)) * count + 0.5));
  const months: { from: number; to: number }[] = [];
  for (let to = 0, ahead = 1; to < count; ahead += 1) {
    const from = to + 1;
    to = before(Date.UTC(since.getUTCFullYear(), since.getUTCMonth() + ahead));
    months.push({ from, to });
  }
  return months;
}
