import { DataSource } from 'typeorm';
import { billingMigrationOptions } from '../../apps/billing/src/database/data-source.js';

const accounts = 1_000;
const creditsForCalls = 2_000_000_000;

/** In one transaction, so that now() is the same everywhere. Without triggers, foreign keys among them: the sums agree. */
const prepare = `
  SET LOCAL session_replication_role = replica;
  SET LOCAL timezone = 'UTC';
  CREATE FUNCTION pg_temp.uuid7(at timestamptz) RETURNS uuid LANGUAGE sql AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
      || '-7' || substr(gen_random_uuid()::text, 16))::uuid
  $$;
  CREATE TEMP TABLE customers ON COMMIT DROP AS
    SELECT number, gen_random_uuid() AS account_id, gen_random_uuid() AS key_id, now() - interval '60 days' AS since
    FROM generate_series(0, ${accounts - 1}) AS number;
  INSERT INTO accounts (id, name, email, created_at)
    SELECT account_id, 'Account ' || number, 'owner-' || number || '@example.com', since FROM customers;
  INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at)
    SELECT key_id, account_id, 'server', encode(sha256(key_id::text::bytea), 'hex'), 'csk_test', 1, since FROM customers`;

/** In the order of time, in which the gateway's ids ascend. */
const charges = `
  INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at,
    pending_until, settled_at, filters, total)
  SELECT pg_temp.uuid7(at), account_id, key_id, pg_temp.uuid7(at)::text, 'search', 3, 'posted', 1000, at,
    at + interval '30 seconds', at + interval '50 milliseconds', 'q,country', 1234
  FROM (
    SELECT now() - interval '60 days' * (1 - (number - 0.5) / $1) AS at, floor(random() * ${accounts}) AS customer
    FROM generate_series(1, $1::integer) AS number
  ) AS calls
  JOIN customers ON customers.number = customer
  ORDER BY at`;

/** Two that their charges emptied by the time they expired, and one for the calls to come. */
const lots = `
  INSERT INTO lots (id, account_id, pack, reference, credits, remaining, price_cents, purchased_at, expires_at, created_at)
  SELECT pg_temp.uuid7(at), account_id, 'scale', 'order ' || months_ago, credits,
    CASE months_ago WHEN 0 THEN credits ELSE 0 END, 59900, at, at + interval '30 days', at
  FROM (
    SELECT account_id, months_ago, sum(credits) AS credits, now() - months_ago * interval '30 days' AS at
    FROM (
      SELECT account_id, credits, CASE WHEN created_at < now() - interval '30 days' THEN 2 ELSE 1 END AS months_ago
      FROM charges
      UNION ALL
      SELECT account_id, ${creditsForCalls}, 0 FROM customers
    ) AS needs
    GROUP BY account_id, months_ago
  ) AS purchases
  ORDER BY at`;

const purchaseEntries = `
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
  SELECT account_id, id, 'purchase', credits, purchased_at FROM lots`;

const chargeEntries = `
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
  SELECT charges.account_id, lots.id, 'charge', -charges.credits, charges.id, charges.created_at
  FROM charges
  JOIN lots ON lots.account_id = charges.account_id
    AND charges.created_at >= purchased_at AND charges.created_at < expires_at
  ORDER BY charges.created_at`;

/** Migrates the database, and fills one without accounts with so many posted charges of the past 60 days. */
export async function makeHistory(url: string, count: number): Promise<void> {
  const dataSource = await new DataSource(billingMigrationOptions(url)).initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  const found = await dataSource.query<unknown[]>('SELECT FROM accounts LIMIT 1');
  if (found.length === 0) {
    await dataSource.transaction(async (manager) => {
      await manager.query(prepare);
      await manager.query(charges, [count]);
      for (const statement of [lots, purchaseEntries, chargeEntries]) await manager.query(statement);
    });
  }
  await dataSource.destroy();
}
