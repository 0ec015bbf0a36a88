import { Client } from 'pg';

/** An account that is to have a past, by its id and those of its keys. */
export interface PastOf {
  readonly accountId: string;
  readonly keyIds: readonly string[];
}

/** A number from 0 to below `count`, always the same for the same `seed`. */
const drawn = (seed: string, count: number): string =>
  `(('x' || left(md5(${seed}), 7))::bit(28)::integer % ${count})`;

/** Thirteen packs, one after the other; the last of them is in use. */
const lots = `
  CREATE TEMP TABLE past_lots ON COMMIT DROP AS
    SELECT gen_random_uuid() AS id, ledger_now() - make_interval(days => 30 * ordinal + 12) AS bought_at, ordinal
    FROM generate_series(0, 12) AS ordinal`;

/** Most are by day and on weekdays. Of a hundred, ten have no match and two fail. */
const calls = `
  CREATE TEMP TABLE past_calls ON COMMIT DROP AS
    SELECT gen_random_uuid() AS id, past_lots.id AS lot_id, at, kind, ${drawn(`'key' || number`, 100)} AS key_draw,
      CASE WHEN kind BETWEEN 72 AND 97 THEN 'profile' ELSE 'search' END AS operation,
      (ARRAY['q', 'country,q', 'category', 'country,category', 'country,category,language', ''])[
        1 + ${drawn(`'filters' || number`, 6)}] AS filters
    FROM (
      SELECT number, ${drawn(`'kind' || number`, 100)} AS kind,
        ledger_now() - make_interval(secs => 60 + number * 1080 + ${drawn(`'second' || number`, 900)}) AS at
      FROM generate_series(0, 31000) AS number
    ) AS drawn
    JOIN past_lots ON at >= bought_at AND at < bought_at + interval '30 days'
    WHERE extract(hour FROM at) BETWEEN 7 AND 18
      AND (extract(isodow FROM at) < 6 OR ${drawn(`'weekend' || number`, 10)} < 3)`;

/** Their prices and what they found. */
const charges = `
  CREATE TEMP TABLE past_charges ON COMMIT DROP AS
    SELECT id, lot_id, at, key_draw, operation, kind > 97 AS is_voided,
      CASE operation WHEN 'search' THEN filters END AS filters,
      CASE WHEN operation = 'profile' THEN NULL WHEN kind BETWEEN 62 AND 71 THEN 0 ELSE 1 + kind * 7 END AS total,
      CASE WHEN operation = 'profile' THEN 1 WHEN kind BETWEEN 62 AND 71 THEN 0
        ELSE 1 + coalesce(cardinality(string_to_array(nullif(filters, ''), ',')), 0) END AS credits
    FROM past_calls`;

const writeLots = `
  INSERT INTO lots (id, account_id, pack, reference, credits, price_cents, purchased_at, expires_at, created_at)
    SELECT id, $1, 'scale', 'past ' || ordinal, 2500, 59900, bought_at, bought_at + interval '30 days', bought_at
    FROM past_lots`;

const writeCharges = `
  INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, void_reason, credits_remaining,
      created_at, pending_until, settled_at, filters, total)
    SELECT id, $1, ($2::uuid[])[1 + key_draw * key_draw * cardinality($2) / 10000], id::text, operation, credits,
      CASE WHEN is_voided THEN 'voided' ELSE 'posted' END, CASE WHEN is_voided THEN 'given_up' END, 0,
      at, at + interval '30 seconds', at + interval '1 second', filters, total
    FROM past_charges`;

const writeEntries = `
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
    SELECT $1, lot_id, type, credits, charge_id, at FROM (
      SELECT id AS lot_id, 'purchase' AS type, 2500 AS credits, NULL::uuid AS charge_id, bought_at AS at FROM past_lots
      UNION ALL SELECT lot_id, 'charge', -credits, id, at FROM past_charges WHERE credits > 0
      UNION ALL SELECT lot_id, 'reversal', credits, id, at + interval '1 second'
        FROM past_charges WHERE credits > 0 AND is_voided
      UNION ALL SELECT past_lots.id, 'expiry', spent - 2500, NULL, bought_at + interval '30 days' FROM past_lots
        JOIN (
          SELECT lot_id, coalesce(sum(credits) FILTER (WHERE NOT is_voided), 0)::integer AS spent
          FROM past_charges GROUP BY lot_id
        ) AS use ON use.lot_id = past_lots.id
        WHERE bought_at + interval '30 days' < ledger_now() AND spent < 2500
    ) AS entry ORDER BY at, type DESC`;

/**
 * Gives an account a year of purchases and about twelve thousand calls, as they would stand in the ledger. Written as the
 * owner of a billing database.
 */
export async function writePastYear(databaseUrl: string, { accountId, keyIds }: PastOf): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    for (const statement of [lots, calls, charges]) await client.query(statement);
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
