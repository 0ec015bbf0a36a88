import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creators who were removed at their request, and what keeps them out. */
export class Removals1797120010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [state, removals]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/**
 * `removals` counts the rows of the table of that name: a writer reads it with the row that it locks anyway, so an import
 * asks for nothing more while nobody is removed. `removal_secret` keys the hashes; it has 244 random bits.
 */
const state = `
ALTER TABLE catalog_state
  ADD COLUMN removals integer NOT NULL DEFAULT 0 CONSTRAINT catalog_state_removals_not_negative CHECK (removals >= 0),
  ADD COLUMN removal_secret bytea NOT NULL DEFAULT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())`;

/**
 * A key is `slug/ada`, or that of an account as in `creators.account_keys`: `youtube/@ada`. Two removals may have the same one.
 */
const removals = `
CREATE TABLE removals (
  id uuid CONSTRAINT removals_pk PRIMARY KEY,
  removed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  reference text NOT NULL,
  note text,
  deleted jsonb NOT NULL
);
CREATE TABLE removal_keys (
  hash bytea NOT NULL,
  removal_id uuid NOT NULL CONSTRAINT removal_keys_removal_fk REFERENCES removals (id) ON DELETE CASCADE,
  kind text NOT NULL,
  CONSTRAINT removal_keys_pk PRIMARY KEY (hash, removal_id)
);
CREATE INDEX removal_keys_of_removal ON removal_keys (removal_id);
CREATE FUNCTION removal_hash(secret bytea, key text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT sha256(secret || convert_to(key, 'UTF8')) $$`;
