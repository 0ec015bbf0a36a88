import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Months of the ledger that have left the database as files: what they were, and what of them is still needed in calls and reports. */
export class Archives1797120011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [archives, carriedLots, archivedCalls, ...indexes, onlineSince]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** `chain_hash` covers the one of the month before: no month can be replaced alone. */
const archives = `
CREATE TABLE ledger_archives (
  month date CONSTRAINT ledger_archives_pk PRIMARY KEY
    CONSTRAINT ledger_archives_first_day CHECK (extract(day FROM month) = 1),
  entries bigint NOT NULL CONSTRAINT ledger_archives_entries_not_negative CHECK (entries >= 0),
  bytes bigint NOT NULL CONSTRAINT ledger_archives_bytes_positive CHECK (bytes > 0),
  sha256 text NOT NULL CONSTRAINT ledger_archives_sha256_shape CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  chain_hash text NOT NULL CONSTRAINT ledger_archives_chain_hash_shape CHECK (chain_hash ~ '^[0-9a-f]{64}$'),
  archived_at timestamptz(3) NOT NULL
)`;

/** What the lots had at the end of the last archived month; those that were empty have no row. */
const carriedLots = `
CREATE TABLE carried_lots (
  lot_id uuid CONSTRAINT carried_lots_pk PRIMARY KEY,
  account_id uuid NOT NULL,
  credits integer NOT NULL CONSTRAINT carried_lots_credits_positive CHECK (credits > 0)
)`;

/** Answered calls whose charges are in archives. Their key may have been deleted. */
const archivedCalls = `
CREATE TABLE archived_calls (
  account_id uuid,
  day date,
  key_id uuid,
  operation text,
  calls integer NOT NULL CONSTRAINT archived_calls_positive CHECK (calls > 0),
  credits bigint NOT NULL CONSTRAINT archived_calls_credits_not_negative CHECK (credits >= 0),
  last_at timestamptz(3) NOT NULL,
  CONSTRAINT archived_calls_pk PRIMARY KEY (account_id, day, key_id, operation)
)`;

const indexes = [
  'CREATE INDEX carried_lots_of_account ON carried_lots (account_id)',
  'CREATE INDEX archived_calls_age ON archived_calls (day)',
  'CREATE INDEX archived_calls_of_key ON archived_calls (key_id, last_at)',
];

/** Entries and charges from before this instant are in archives: the database may still have them, but nothing reads them there. */
const onlineSince = `
CREATE FUNCTION ledger_online_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce((max(month) + interval '1 month') AT TIME ZONE 'UTC', '-infinity') FROM ledger_archives
$$`;
