import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** When and from where creators came, how often their profiles are read, and how old the data is. */
export class DemandAndFreshness1797120011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [origin, reads, freshness]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** NULL: stored before this version, or changed by an earlier one. The defaults are set apart, so that no row is rewritten. */
const origin = `
ALTER TABLE creators
  ADD COLUMN created_at timestamptz(3),
  ADD COLUMN changed_at timestamptz(3),
  ADD COLUMN source text;
ALTER TABLE creators
  ALTER COLUMN created_at SET DEFAULT statement_timestamp(),
  ALTER COLUMN changed_at SET DEFAULT statement_timestamp()`;

/**
 * `heat` orders creators by their reads, each of which counts half as much after 30 days, and never has to be decayed: it is
 * log2 of the sum of 2^(t / 30 days) over the reads, t being when each was. A creator that was never asked for has no row.
 */
const reads = `
CREATE TABLE creator_reads (
  slug text COLLATE "C" CONSTRAINT creator_reads_pk PRIMARY KEY
    CONSTRAINT creator_reads_creator_fk REFERENCES creators (slug) ON DELETE CASCADE,
  heat double precision NOT NULL,
  read_at timestamptz(3) NOT NULL
)`;

/** A row for each platform and each country, replaced as a whole. Ages are in whole days. */
const freshness = `
CREATE TABLE creator_freshness (
  dimension text NOT NULL,
  value text NOT NULL,
  creators bigint NOT NULL,
  median_days integer NOT NULL,
  p90_days integer NOT NULL,
  oldest_days integer NOT NULL,
  older_than_30 bigint NOT NULL,
  older_than_90 bigint NOT NULL,
  older_than_365 bigint NOT NULL,
  computed_at timestamptz(3) NOT NULL,
  CONSTRAINT creator_freshness_pk PRIMARY KEY (dimension, value)
)`;
