import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What those who follow the revisions need: where deletions have been forgotten, and a word when there is news. */
export class Following1763762400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [forgotten, announcement, platformsKnown, claims]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** Whoever has not seen this revision yet may have missed a deletion, and has to start afresh. */
const forgotten = `
ALTER TABLE catalog_state ADD COLUMN forgotten_revision bigint NOT NULL DEFAULT 0
  CONSTRAINT catalog_state_forgotten_seen CHECK (forgotten_revision <= revision)`;

/** Sent at COMMIT. Nobody relies on it: it does not pass a pooler in transaction mode, nor a standby. */
const announcement = `
CREATE FUNCTION announce_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalog_revision', '');
  RETURN NULL;
END $$;
CREATE TRIGGER catalog_state_announced AFTER UPDATE OF revision ON catalog_state
  FOR EACH STATEMENT EXECUTE FUNCTION announce_revision()`;

/** The same rule as before at a tenth of its cost: a regular expression was compiled for every row. */
const platformsKnown = `
ALTER TABLE creators DROP CONSTRAINT creators_platforms_known;
ALTER TABLE creators ADD CONSTRAINT creators_platforms_known CHECK (
  jsonb_typeof(platforms) = 'array'
  AND NOT jsonb_path_exists(platforms, '$[*] ? (
    !(@.platform == "youtube" || @.platform == "instagram" || @.platform == "tiktok" || @.platform == "facebook" || @.platform == "x"))')
)`;

/** Checking it cost more than the claim itself; whoever forgets an import deletes its claims. */
const claims = 'ALTER TABLE import_slugs DROP CONSTRAINT import_slugs_import_fk';
