import { Client } from 'pg';

/** An account that is to have a past, by its id and those of its keys. */
export interface PastOf {
  readonly accountId: string;
  readonly keyIds: readonly string[];
}

/** Thirteen packs, one after the other; the last of them is in use. */
const lots = `
  CREATE TEMP TABLE past_lots ON COMMIT DROP AS
    SELECT gen_random_uuid() AS id, ledger_now() - make_interval(days => 30 * ordinal + 12) AS bought_at, ordinal
    FROM generate_series(0, 12) AS ordinal`;

/** Searches, of which some have no match, and profiles, by day. */
const charges = `
  CREATE TEMP TABLE past_charges ON COMMIT DROP AS
    SELECT gen_random_uuid() AS id, past_lots.id AS lot_id, at, number, kind = 0 AS is_profile,
      (ARRAY[1, 3, 3, 3, 0])[kind + 1] AS credits, (ARRAY[NULL, 700, 80, 9, 0])[kind + 1] AS total
    FROM (
      SELECT number, number % 5 AS kind, ledger_now() - make_interval(mins => 1 + 47 * number) AS at
      FROM generate_series(0, 11000) AS number
    ) AS call
    JOIN past_lots ON at >= bought_at AND at < bought_at + interval '30 days'
    WHERE extract(hour FROM at) BETWEEN 7 AND 18`;

const writeLots = `
  INSERT INTO lots (id, account_id, pack, reference, credits, price_cents, purchased_at, expires_at, created_at)
    SELECT id, $1, 'scale', 'past ' || ordinal, 2500, 59900, bought_at, bought_at + interval '30 days', bought_at
    FROM past_lots`;

const writeCharges = `
  INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining,
      created_at, pending_until, settled_at, filters, total)
    SELECT id, $1, ($2::uuid[])[1 + number % 7 % cardinality($2)], id::text, CASE WHEN is_profile THEN 'profile' ELSE 'search' END,
      credits, 'posted', 0, at, at + interval '30 seconds', at + interval '1 second',
      CASE WHEN NOT is_profile THEN 'country,q' END, total
    FROM past_charges`;

const writeEntries = `
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
    SELECT $1, lot_id, type, credits, charge_id, at FROM (
      SELECT id AS lot_id, 'purchase' AS type, 2500 AS credits, NULL::uuid AS charge_id, bought_at AS at FROM past_lots
      UNION ALL SELECT lot_id, 'charge', -credits, id, at FROM past_charges WHERE credits > 0
      UNION ALL SELECT lot_id, 'expiry', sum(past_charges.credits)::integer - 2500, NULL, bought_at + interval '30 days'
        FROM past_charges JOIN past_lots ON past_lots.id = lot_id
        WHERE bought_at + interval '30 days' < ledger_now() GROUP BY lot_id, bought_at
    ) AS entry ORDER BY at, type DESC`;

/**
 * Gives an account a year of purchases and some thousand calls, as they would stand in the ledger. Written as the
 * owner of a billing database.
 */
export async function writePastYear(databaseUrl: string, { accountId, keyIds }: PastOf): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    for (const statement of [lots, charges]) await client.query(statement);
    await client.query(writeLots, [accountId]);
    await client.query(writeCharges, [accountId, keyIds]);
    await client.query(writeEntries, [accountId]);
    await client.query("UPDATE accounts SET created_at = ledger_now() - interval '403 days' WHERE id = $1", [
      accountId,
    ]);
    await client.query('COMMIT');
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}
