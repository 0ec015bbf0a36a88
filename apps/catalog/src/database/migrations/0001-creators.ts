import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creators with what searching needs of them in columns: texts arrive folded, SQL never folds. */
export class Creators1763676000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [state, creators, indexes, deletions, imports]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** One row. Every writer takes the next revision from it first, so revisions become visible in their order. */
const state = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE TABLE catalog_state (
  id boolean CONSTRAINT catalog_state_pk PRIMARY KEY DEFAULT true,
  catalog_id uuid NOT NULL DEFAULT gen_random_uuid(),
  revision bigint NOT NULL DEFAULT 0,
  CONSTRAINT catalog_state_one_row CHECK (id)
);
INSERT INTO catalog_state DEFAULT VALUES`;

/**
 * `platforms` holds the platform accounts in the order of the record; the followers of each platform are also columns,
 * NULL without an account there. `search_text` is the folded name and the folded handles, a line each: a word has no
 * white space, so it matches a line exactly when it matches the name or one handle.
 */
const creators = `
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
      AND NOT jsonb_path_exists(platforms, '$[*].platform ? (!(@ like_regex "^(youtube|instagram|tiktok|facebook|x)$"))')
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
)`;

/**
 * `creators_newest` is the order of a search; the facets are equality and array containment; trigrams find words of three
 * letters and more, shorter ones are found by reading.
 */
const indexes = `
CREATE INDEX creators_newest ON creators (newest_updated_at DESC NULLS LAST, slug) WHERE published;
CREATE INDEX creators_of_country ON creators (folded_country) WHERE published;
CREATE INDEX creators_of_language ON creators USING gin (folded_languages) WHERE published;
CREATE INDEX creators_of_category ON creators USING gin (folded_categories) WHERE published;
CREATE INDEX creators_by_reach ON creators (total_reach) WHERE published;
CREATE INDEX creators_by_text ON creators USING gin (search_text gin_trgm_ops) WHERE published;
CREATE INDEX creators_by_revision ON creators (revision)`;

/** What was deleted, for those who follow the revisions. */
const deletions = `
CREATE TABLE creator_deletions (
  slug text COLLATE "C" CONSTRAINT creator_deletions_pk PRIMARY KEY,
  revision bigint NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX creator_deletions_by_revision ON creator_deletions (revision)`;

/** Imports under way: the reply of each chunk, and the slugs seen so far. Forgotten when the import is finished. */
const imports = `
CREATE TABLE imports (
  id uuid CONSTRAINT imports_pk PRIMARY KEY,
  next_seq integer NOT NULL DEFAULT 0,
  touched_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX imports_age ON imports (touched_at);
CREATE TABLE import_chunks (
  import_id uuid NOT NULL CONSTRAINT import_chunks_import_fk REFERENCES imports (id) ON DELETE CASCADE,
  seq integer NOT NULL,
  report jsonb NOT NULL,
  CONSTRAINT import_chunks_pk PRIMARY KEY (import_id, seq)
);
CREATE TABLE import_slugs (
  import_id uuid NOT NULL CONSTRAINT import_slugs_import_fk REFERENCES imports (id) ON DELETE CASCADE,
  slug text COLLATE "C" NOT NULL,
  line integer NOT NULL,
  CONSTRAINT import_slugs_pk PRIMARY KEY (import_id, slug)
)`;
