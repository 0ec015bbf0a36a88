-- The database of the catalog, as its migrations leave it. Written by `npm run docs`.

CREATE EXTENSION pg_trgm;

CREATE TABLE account_counts (
  account text NOT NULL,
  day date NOT NULL,
  followers bigint NOT NULL,
  CONSTRAINT account_counts_pk PRIMARY KEY (account, day),
  CONSTRAINT account_counts_not_negative CHECK ((followers >= 0))
);

CREATE TABLE admin_log (
  id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  token_id uuid,
  token_name text NOT NULL,
  action text NOT NULL,
  request_id text NOT NULL,
  account_id uuid,
  subject text NOT NULL,
  before jsonb,
  after jsonb,
  erased_at timestamp(3) with time zone,
  CONSTRAINT admin_log_pk PRIMARY KEY (id)
);
CREATE INDEX admin_log_of_account ON admin_log USING btree (account_id, id) WHERE (account_id IS NOT NULL);
CREATE INDEX admin_log_of_subject ON admin_log USING btree (subject, id);
CREATE TRIGGER admin_log_append_only BEFORE DELETE OR UPDATE ON admin_log FOR EACH ROW EXECUTE FUNCTION guard_admin_log();
CREATE TRIGGER admin_log_not_truncated BEFORE TRUNCATE ON admin_log FOR EACH STATEMENT EXECUTE FUNCTION guard_admin_log();

CREATE TABLE catalog_state (
  id boolean NOT NULL DEFAULT true,
  catalog_id uuid NOT NULL DEFAULT gen_random_uuid(),
  revision bigint NOT NULL DEFAULT 0,
  forgotten_revision bigint NOT NULL DEFAULT 0,
  removals integer NOT NULL DEFAULT 0,
  removal_secret bytea NOT NULL DEFAULT (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
  CONSTRAINT catalog_state_pk PRIMARY KEY (id),
  CONSTRAINT catalog_state_forgotten_seen CHECK ((forgotten_revision <= revision)),
  CONSTRAINT catalog_state_one_row CHECK (id),
  CONSTRAINT catalog_state_removals_not_negative CHECK ((removals >= 0))
);

CREATE TABLE creator_accounts (
  key text NOT NULL,
  slug text NOT NULL,
  CONSTRAINT creator_accounts_pk PRIMARY KEY (key)
);

CREATE TABLE creator_aliases (
  slug text NOT NULL,
  creator_slug text NOT NULL,
  CONSTRAINT creator_aliases_pk PRIMARY KEY (slug)
);
CREATE INDEX creator_aliases_of_creator ON creator_aliases USING btree (creator_slug);

CREATE TABLE creator_deletions (
  slug text NOT NULL,
  revision bigint NOT NULL,
  deleted_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT creator_deletions_pk PRIMARY KEY (slug)
);
CREATE INDEX creator_deletions_by_revision ON creator_deletions USING btree (revision);

CREATE TABLE creators (
  slug text NOT NULL,
  name text NOT NULL,
  tagline text NOT NULL,
  country text NOT NULL,
  languages text[] NOT NULL,
  verified boolean NOT NULL,
  website text,
  categories text[] NOT NULL,
  published boolean NOT NULL,
  platforms jsonb NOT NULL,
  total_reach bigint NOT NULL,
  newest_updated_at timestamp(3) with time zone,
  youtube_followers bigint,
  instagram_followers bigint,
  tiktok_followers bigint,
  facebook_followers bigint,
  x_followers bigint,
  folded_country text NOT NULL,
  folded_languages text[] NOT NULL,
  folded_categories text[] NOT NULL,
  search_text text NOT NULL,
  content_hash text NOT NULL,
  revision bigint NOT NULL,
  account_keys text[] NOT NULL,
  text_version text NOT NULL DEFAULT '1'::text,
  source text,
  CONSTRAINT creators_pk PRIMARY KEY (slug),
  CONSTRAINT creators_accounts_agree CHECK ((((platforms = '[]'::jsonb) = (num_nonnulls(youtube_followers, instagram_followers, tiktok_followers, facebook_followers, x_followers) = 0)) AND ((newest_updated_at IS NULL) = (platforms = '[]'::jsonb)))),
  CONSTRAINT creators_facebook_not_negative CHECK ((facebook_followers >= 0)),
  CONSTRAINT creators_instagram_not_negative CHECK ((instagram_followers >= 0)),
  CONSTRAINT creators_platforms_known CHECK (((jsonb_typeof(platforms) = 'array'::text) AND (NOT jsonb_path_exists(platforms, '$[*]?(!((((@."platform" == "youtube" || @."platform" == "instagram") || @."platform" == "tiktok") || @."platform" == "facebook") || @."platform" == "x"))'::jsonpath)))),
  CONSTRAINT creators_reach_is_sum CHECK ((total_reach = ((((COALESCE(youtube_followers, (0)::bigint) + COALESCE(instagram_followers, (0)::bigint)) + COALESCE(tiktok_followers, (0)::bigint)) + COALESCE(facebook_followers, (0)::bigint)) + COALESCE(x_followers, (0)::bigint)))),
  CONSTRAINT creators_reach_not_negative CHECK ((total_reach >= 0)),
  CONSTRAINT creators_slug_shape CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 100))),
  CONSTRAINT creators_tiktok_not_negative CHECK ((tiktok_followers >= 0)),
  CONSTRAINT creators_x_not_negative CHECK ((x_followers >= 0)),
  CONSTRAINT creators_youtube_not_negative CHECK ((youtube_followers >= 0))
);
CREATE INDEX creators_by_revision ON creators USING btree (revision);
CREATE INDEX creators_by_text_version ON creators USING btree (text_version);

CREATE TABLE import_changes (
  import_id uuid NOT NULL,
  seq integer NOT NULL,
  slug text NOT NULL,
  before json,
  after_hash text NOT NULL,
  CONSTRAINT import_changes_pk PRIMARY KEY (import_id, seq, slug)
);

CREATE TABLE import_chunks (
  import_id uuid NOT NULL,
  seq integer NOT NULL,
  report jsonb NOT NULL,
  CONSTRAINT import_chunks_pk PRIMARY KEY (import_id, seq),
  CONSTRAINT import_chunks_import_fk FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE
);

CREATE TABLE import_claims (
  import_id uuid NOT NULL,
  key text NOT NULL,
  slug text,
  line integer NOT NULL,
  creator json,
  CONSTRAINT import_claims_pk PRIMARY KEY (import_id, key)
);

CREATE TABLE imports (
  id uuid NOT NULL,
  next_seq integer NOT NULL DEFAULT 0,
  touched_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  started_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamp(3) with time zone,
  undone_at timestamp(3) with time zone,
  is_dry_run boolean NOT NULL DEFAULT false,
  source text,
  file text,
  operator text,
  mode text NOT NULL DEFAULT 'replace'::text,
  received integer NOT NULL DEFAULT 0,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  removed integer NOT NULL DEFAULT 0,
  rejected integer NOT NULL DEFAULT 0,
  CONSTRAINT imports_pk PRIMARY KEY (id)
);
CREATE INDEX imports_age ON imports USING btree (touched_at);

CREATE TABLE removal_keys (
  hash bytea NOT NULL,
  removal_id uuid NOT NULL,
  kind text NOT NULL,
  CONSTRAINT removal_keys_pk PRIMARY KEY (hash, removal_id),
  CONSTRAINT removal_keys_removal_fk FOREIGN KEY (removal_id) REFERENCES removals(id) ON DELETE CASCADE
);
CREATE INDEX removal_keys_of_removal ON removal_keys USING btree (removal_id);

CREATE TABLE removals (
  id uuid NOT NULL,
  removed_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  reference text NOT NULL,
  note text,
  deleted jsonb NOT NULL,
  CONSTRAINT removals_pk PRIMARY KEY (id)
);

CREATE OR REPLACE FUNCTION public.erase_texts(value jsonb, texts text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
  DECLARE
    erased text := value::text;
    given text;
  BEGIN
    FOREACH given IN ARRAY texts LOOP
      erased := replace(erased, to_json(given)::text, '"erased"');
    END LOOP;
    RETURN erased::jsonb;
  END $function$;

CREATE OR REPLACE FUNCTION public.guard_admin_log()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE
    kept text[] := ARRAY['subject', 'before', 'after', 'erased_at'];
  BEGIN
    IF TG_OP <> 'UPDATE' THEN
      RAISE EXCEPTION 'admin_log is append-only';
    END IF;
    IF NEW.erased_at IS NULL OR to_jsonb(NEW) - kept <> to_jsonb(OLD) - kept THEN
      RAISE EXCEPTION 'admin_log is append-only: only personal data in it can be erased';
    END IF;
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION public.removal_hash(secret bytea, key text)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT sha256(secret || convert_to(key, 'UTF8')) $function$;
