import { platforms } from '@app/contracts';

/**
 * One database for everything. A creator's answers are kept as the JSON that is sent, beside the columns that searches ask
 * for; texts are folded.
 */
export const tables = `
  CREATE EXTENSION pg_trgm;
  CREATE TABLE creators (
    slug text PRIMARY KEY,
    published boolean NOT NULL,
    country text NOT NULL,
    languages text[] NOT NULL,
    categories text[] NOT NULL,
    search_text text NOT NULL,
    total_reach bigint NOT NULL,
    ${platforms.map((platform) => `${platform}_followers bigint,`).join('\n    ')}
    newest_updated_at timestamptz,
    entry text NOT NULL,
    profile text NOT NULL
  );
  CREATE TABLE accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL
  );
  CREATE TABLE api_keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES accounts,
    hash text NOT NULL UNIQUE,
    active boolean NOT NULL DEFAULT true
  );
  CREATE TABLE lots (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES accounts,
    credits integer NOT NULL CHECK (credits > 0),
    remaining integer NOT NULL CHECK (remaining BETWEEN 0 AND credits),
    purchased_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL DEFAULT now() + interval '30 days'
  );
  CREATE INDEX lots_of_account ON lots (account_id, purchased_at, id);
  CREATE TABLE charges (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES accounts,
    key_id bigint NOT NULL REFERENCES api_keys,
    request_id text NOT NULL,
    operation text NOT NULL CHECK (operation IN ('search', 'profile')),
    credits integer NOT NULL CHECK (credits >= 0),
    credits_remaining bigint NOT NULL CHECK (credits_remaining >= 0),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX charges_of_account ON charges (account_id, created_at);
  CREATE TABLE ledger_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES accounts,
    lot_id bigint NOT NULL REFERENCES lots,
    charge_id bigint REFERENCES charges,
    credits integer NOT NULL CHECK (credits <> 0),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX ledger_entries_of_charge ON ledger_entries (charge_id);
  CREATE INDEX ledger_entries_of_lot ON ledger_entries (lot_id);`;

const followerIndexes = platforms.map(
  (platform) => `CREATE INDEX ON creators (${platform}_followers) WHERE published;`,
);

/** Made once the creators are there, which is faster. */
export const searchIndexes = `
  CREATE INDEX ON creators (newest_updated_at DESC NULLS LAST, slug) WHERE published;
  CREATE INDEX ON creators (country) WHERE published;
  CREATE INDEX ON creators (total_reach) WHERE published;
  CREATE INDEX ON creators USING gin (languages) WHERE published;
  CREATE INDEX ON creators USING gin (categories) WHERE published;
  CREATE INDEX ON creators USING gin (search_text gin_trgm_ops) WHERE published;
  ${followerIndexes.join('\n  ')}`;
