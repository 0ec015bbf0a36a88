import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Months of the ledger that have left the database as files. */
export class Archives1797120011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [archives, onlineSince]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const archives = `
CREATE TABLE ledger_archives (
  name text CONSTRAINT ledger_archives_pk PRIMARY KEY,
  parent text NOT NULL CONSTRAINT ledger_archives_parent_known CHECK (parent IN ('ledger_entries', 'charges_ended')),
  ends timestamptz(3) NOT NULL,
  rows bigint NOT NULL CONSTRAINT ledger_archives_rows_not_negative CHECK (rows >= 0),
  bytes bigint NOT NULL CONSTRAINT ledger_archives_bytes_positive CHECK (bytes > 0),
  sha256 text NOT NULL CONSTRAINT ledger_archives_sha256_shape CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  archived_at timestamptz(3) NOT NULL
)`;

/** Entries from before this instant are in archives: the database may still have them, but nothing reads them there. */
const onlineSince = `
CREATE FUNCTION ledger_online_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(max(ends), '-infinity') FROM ledger_archives WHERE parent = 'ledger_entries'
$$`;
