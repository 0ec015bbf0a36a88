import { withClient } from '@app/local-stack';
import { settle } from '../whole-call/database-server.js';

/** The next hour has begun and is over, with calls of every account; a tenth is voided. */
const anHourLater = `
  SET session_replication_role = replica;
  CREATE TEMP TABLE calls AS
    SELECT gen_random_uuid() AS id, lots.id AS lot_id, account_id, number % 10 = 0 AS is_voided,
      ledger_now() + interval '1 hour' * number / $COUNT AS at
    FROM generate_series(1, $COUNT) AS number
    JOIN (SELECT id, account_id, row_number() OVER () - 1 AS place, count(*) OVER () AS lots FROM lots WHERE remaining > 0) AS lots
      ON lots.place = number % lots.lots;
  INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, void_reason, credits_remaining, created_at,
      pending_until, settled_at)
    SELECT calls.id, account_id, api_keys.id, calls.id::text, 'search', 3, CASE WHEN is_voided THEN 'voided' ELSE 'posted' END,
      CASE WHEN is_voided THEN 'given_up' END, 1000, at, at + interval '30 seconds', at
    FROM calls JOIN api_keys USING (account_id) ORDER BY at;
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
    SELECT account_id, lot_id, type, credits, id, at
    FROM calls, (VALUES ('charge', -3), ('reversal', 3)) AS entry (type, credits)
    WHERE type = 'charge' OR is_voided ORDER BY at, type;
  UPDATE lots SET remaining = remaining - taken
    FROM (SELECT lot_id, 3 * count(*) FILTER (WHERE NOT is_voided) AS taken FROM calls GROUP BY lot_id) AS use
    WHERE lots.id = use.lot_id;
  CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 hour' $$`;

export async function addHourOfCalls(url: string, count: number): Promise<void> {
  await withClient(url, (client) => client.query(anHourLater.replaceAll('$COUNT', String(count))));
  await settle(url);
}
