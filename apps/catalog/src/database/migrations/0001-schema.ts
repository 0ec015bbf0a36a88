import { createAdminLog } from '#platform/database';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The schema of 1.0.0. The indexes of the SQL engine are made and removed by the migration job, as the engine is chosen. */
export class Schema1797200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statements of [creators, imports, removals, ...createAdminLog]) await runner.query(statements);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const creators = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- One row. Every writer takes the next revision from it first, so revisions become visible in their order. A follower
-- that has not seen forgotten_revision may have missed a deletion and starts afresh. The notification is sent at
-- COMMIT; it is only a shortcut, because neither a pooler in transaction mode nor a standby passes it on.
-- removals counts the rows of the table of that name: a writer reads it with the row that it locks anyway, so an import
-- asks for nothing more while nobody is removed. removal_secret keys the hashes; it has 244 random bits.
CREATE TABLE catalog_state (
  id boolean CONSTRAINT catalog_state_pk PRIMARY KEY DEFAULT true,
  catalog_id uuid NOT NULL DEFAULT gen_random_uuid(),
  revision bigint NOT NULL DEFAULT 0,
  forgotten_revision bigint NOT NULL DEFAULT 0,
  removals integer NOT NULL DEFAULT 0 CONSTRAINT catalog_state_removals_not_negative CHECK (removals >= 0),
  removal_secret bytea NOT NULL DEFAULT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  CONSTRAINT catalog_state_one_row CHECK (id),
  CONSTRAINT catalog_state_forgotten_seen CHECK (forgotten_revision <= revision)
);
INSERT INTO catalog_state DEFAULT VALUES;

-- Creators with what searching needs in columns: texts arrive folded, SQL never folds, and text_version says by which
-- rule. platforms holds the accounts in the order of the record; the followers of each platform are also columns, NULL
-- without an account there. search_text is the folded name and the folded handles, a line each: a word has no white
-- space, so it matches a line exactly when it matches the name or one handle. creators_platforms_known spells the
-- platforms out, because a regular expression would be compiled for every row. source is what the import that last
-- changed the creator gave as its own, NULL where an operator did.
CREATE TABLE creators (
  slug text COLLATE "C" CONSTRAINT creators_pk PRIMARY KEY
    CONSTRAINT creators_slug_shape CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(slug) <= 100),
  name text NOT NULL,
  tagline text NOT NULL,
  country text NOT NULL,
  languages text[] NOT NULL,
  verified boolean NOT NULL,
  website text,
  categories text[] NOT NULL,
  published boolean NOT NULL,
  platforms jsonb NOT NULL
    CONSTRAINT creators_platforms_known CHECK (
      jsonb_typeof(platforms) = 'array'
      AND NOT jsonb_path_exists(platforms, '$[*] ? (
        !(@.platform == "youtube" || @.platform == "instagram" || @.platform == "tiktok" || @.platform == "facebook" || @.platform == "x"))')
    ),
  total_reach bigint NOT NULL CONSTRAINT creators_reach_not_negative CHECK (total_reach >= 0),
  newest_updated_at timestamptz(3),
  youtube_followers bigint CONSTRAINT creators_youtube_not_negative CHECK (youtube_followers >= 0),
  instagram_followers bigint CONSTRAINT creators_instagram_not_negative CHECK (instagram_followers >= 0),
  tiktok_followers bigint CONSTRAINT creators_tiktok_not_negative CHECK (tiktok_followers >= 0),
  facebook_followers bigint CONSTRAINT creators_facebook_not_negative CHECK (facebook_followers >= 0),
  x_followers bigint CONSTRAINT creators_x_not_negative CHECK (x_followers >= 0),
  folded_country text NOT NULL,
  folded_languages text[] NOT NULL,
  folded_categories text[] NOT NULL,
  search_text text NOT NULL,
  content_hash text NOT NULL,
  revision bigint NOT NULL,
  account_keys text[] NOT NULL,
  text_version text COLLATE "C" NOT NULL DEFAULT '1',
  source text,
  CONSTRAINT creators_reach_is_sum CHECK (
    total_reach = coalesce(youtube_followers, 0) + coalesce(instagram_followers, 0)
      + coalesce(tiktok_followers, 0) + coalesce(facebook_followers, 0) + coalesce(x_followers, 0)
  ),
  CONSTRAINT creators_accounts_agree CHECK (
    (platforms = '[]') = (
      num_nonnulls(youtube_followers, instagram_followers, tiktok_followers, facebook_followers, x_followers) = 0
    )
    AND (newest_updated_at IS NULL) = (platforms = '[]')
  )
);
CREATE INDEX creators_by_revision ON creators (revision);

-- Whose account is whose, by each of its names: the primary key is the rule that an account belongs to one creator. Written
-- with creators.account_keys, by the writer whose turn it is; a foreign key would only cost.
CREATE TABLE creator_accounts (
  key text COLLATE "C" CONSTRAINT creator_accounts_pk PRIMARY KEY,
  slug text COLLATE "C" NOT NULL
);

-- Slugs of creators who were joined into another one, where the old links lead on: no creator has any of them. Few, so that
-- they stay in one place when the creators are distributed.
CREATE TABLE creator_aliases (
  slug text COLLATE "C" CONSTRAINT creator_aliases_pk PRIMARY KEY,
  creator_slug text COLLATE "C" NOT NULL
);
CREATE INDEX creator_aliases_of_creator ON creator_aliases (creator_slug);

-- How many followers an account had on a day, where that was another number than on the day before it here; of several counts on one
-- day the last one. By the first of the account's keys, so counts follow it from creator to creator. Kept for as long as a creator
-- has the account: they can't be made up later, and take about 100 bytes each.
CREATE TABLE account_counts (
  account text COLLATE "C" NOT NULL,
  day date NOT NULL,
  followers bigint NOT NULL CONSTRAINT account_counts_not_negative CHECK (followers >= 0),
  CONSTRAINT account_counts_pk PRIMARY KEY (account, day)
);

-- Deleted creators, for followers of the revisions.
CREATE TABLE creator_deletions (
  slug text COLLATE "C" CONSTRAINT creator_deletions_pk PRIMARY KEY,
  revision bigint NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX creator_deletions_by_revision ON creator_deletions (revision);
`;

/**
 * Imports: the report of each chunk of a running one, and the slugs so far. Claims have no foreign key, because checking it cost
 * more than the claim itself; they are deleted with their import. A dry run stores nothing else, so it also claims accounts, with
 * the slug of their creator or NULL for nobody, and changed creators (`creator/ada`), as they would be stored.
 */
const imports = `
CREATE TABLE imports (
  id uuid CONSTRAINT imports_pk PRIMARY KEY,
  next_seq integer NOT NULL DEFAULT 0,
  touched_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz(3),
  undone_at timestamptz(3),
  is_dry_run boolean NOT NULL DEFAULT false,
  source text,
  file text,
  operator text,
  mode text NOT NULL DEFAULT 'replace',
  received integer NOT NULL DEFAULT 0,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  removed integer NOT NULL DEFAULT 0,
  rejected integer NOT NULL DEFAULT 0
);
CREATE INDEX imports_age ON imports (touched_at);

-- What each chunk changed, for 30 days: a creator as it was before, NULL for a new one, and a stamp of what it became. By
-- chunk, so that one is written in one place; a removal looks up its slugs in each chunk of these days.
CREATE TABLE import_changes (
  import_id uuid NOT NULL,
  seq integer NOT NULL,
  slug text COLLATE "C" NOT NULL,
  before json,
  after_hash text NOT NULL,
  CONSTRAINT import_changes_pk PRIMARY KEY (import_id, seq, slug)
);

CREATE TABLE import_chunks (
  import_id uuid NOT NULL CONSTRAINT import_chunks_import_fk REFERENCES imports (id) ON DELETE CASCADE,
  seq integer NOT NULL,
  report jsonb NOT NULL,
  CONSTRAINT import_chunks_pk PRIMARY KEY (import_id, seq)
);

CREATE TABLE import_claims (
  import_id uuid NOT NULL,
  key text COLLATE "C" NOT NULL,
  slug text COLLATE "C",
  line integer NOT NULL,
  creator json,
  CONSTRAINT import_claims_pk PRIMARY KEY (import_id, key)
);
`;

/**
 * Creators who were removed at their request, and what keeps them out. A key is `slug/ada`, or that of an account as in
 * `creators.account_keys`: `youtube/@ada`. Two removals may have the same one.
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

-- PostgreSQL inlines a function only when nothing in it is more volatile than the function, and convert_to is STABLE.
-- Inlined, a hash takes less than half the time.
CREATE FUNCTION removal_hash(secret bytea, key text) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT sha256(secret || convert_to(key, 'UTF8')) $$;
`;
