/** The clock, accounts, the people who sign in to them, and API keys. */
export const accounts = `
-- The one clock of billing. A test database may replace the function; nothing else reads the time in SQL. Whole
-- milliseconds, and so are the columns, because that is all a JavaScript Date holds: the two can't disagree on an order.
-- Volatile: as a bound of an index scan it is written (SELECT ledger_now()).
CREATE FUNCTION ledger_now() RETURNS timestamptz
  LANGUAGE sql VOLATILE
  AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$;

-- signed_up_from is the network of a sign-up, NULL for accounts of operators. Networks are compared by their
-- beginnings, which an index serves only in the collation "C". At next_check_at the sweep checks whether an account
-- that signed up is in use. A closed account stays suspended.
CREATE TABLE accounts (
  id uuid CONSTRAINT accounts_pk PRIMARY KEY,
  name text NOT NULL CONSTRAINT accounts_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  email text NOT NULL CONSTRAINT accounts_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
  created_at timestamptz(3) NOT NULL,
  signed_up_from text COLLATE "C",
  next_check_at timestamptz(3),
  suspended_at timestamptz(3),
  suspension_reason text,
  stripe_customer_id text,
  closed_at timestamptz(3),
  CONSTRAINT accounts_suspension_whole CHECK ((suspended_at IS NULL) = (suspension_reason IS NULL)),
  CONSTRAINT accounts_closed_suspended CHECK (closed_at IS NULL OR suspended_at IS NOT NULL)
);
CREATE INDEX accounts_page ON accounts (created_at, id);
CREATE INDEX accounts_to_check ON accounts (next_check_at) WHERE next_check_at IS NOT NULL;
-- Counts the sign-ups of a network.
CREATE INDEX accounts_signed_up ON accounts (signed_up_from) WHERE signed_up_from IS NOT NULL;
-- Finds the accounts of an erased address.
CREATE INDEX accounts_of_address ON accounts (email);

CREATE TABLE people (
  id uuid CONSTRAINT people_pk PRIMARY KEY,
  email_folded text NOT NULL CONSTRAINT people_email_length CHECK (char_length(email_folded) BETWEEN 3 AND 254),
  created_at timestamptz(3) NOT NULL,
  next_check_at timestamptz(3) NOT NULL DEFAULT '-infinity',
  CONSTRAINT people_email_unique UNIQUE (email_folded)
);
CREATE INDEX people_to_check ON people (next_check_at);

CREATE TABLE members (
  account_id uuid NOT NULL CONSTRAINT members_account_fk REFERENCES accounts (id),
  person_id uuid NOT NULL CONSTRAINT members_person_fk REFERENCES people (id),
  role text NOT NULL CONSTRAINT members_role_known CHECK (role IN ('owner', 'member')),
  added_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3),
  CONSTRAINT members_pk PRIMARY KEY (account_id, person_id)
);
CREATE INDEX members_of_person ON members (person_id);

-- The slots make a sixth live key impossible: a switched-off key keeps its slot, a deleted one frees it. is_kept: a
-- deleted key that charges name. created_by is NULL for the keys of operators. A rotated key has two secrets for a while.
-- A test key spends nothing, so it has no limit; its secrets, and no others, begin with csk_test_.
-- spent is what a key with a limit has spent in the calendar month (UTC) since spent_since: its pending and posted
-- charges. No index has it, so that PostgreSQL can write it in place.
CREATE TABLE api_keys (
  id uuid CONSTRAINT api_keys_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT api_keys_account_fk REFERENCES accounts (id),
  name text NOT NULL CONSTRAINT api_keys_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
  hash text NOT NULL CONSTRAINT api_keys_hash_shape CHECK (hash ~ '^[0-9a-f]{64}$'),
  prefix text NOT NULL,
  mode text NOT NULL DEFAULT 'live' CONSTRAINT api_keys_mode_known CHECK (mode IN ('live', 'test')),
  slot smallint NOT NULL CONSTRAINT api_keys_slot_range CHECK (slot BETWEEN 1 AND 5),
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  is_kept boolean NOT NULL DEFAULT false,
  created_by uuid CONSTRAINT api_keys_person_fk REFERENCES people (id),
  expires_at timestamptz(3),
  rotated_at timestamptz(3),
  previous_hash text,
  previous_prefix text,
  previous_valid_until timestamptz(3),
  monthly_limit integer CONSTRAINT api_keys_monthly_limit_range CHECK (monthly_limit BETWEEN 1 AND 1000000000),
  spent bigint CONSTRAINT api_keys_spent_not_negative CHECK (spent >= 0),
  spent_since timestamptz(3),
  CONSTRAINT api_keys_hash_unique UNIQUE (hash),
  CONSTRAINT api_keys_mode_of_prefix CHECK (
    starts_with(prefix, 'csk_test_') = (mode = 'test') AND starts_with(previous_prefix, 'csk_test_') = (mode = 'test')
  ),
  CONSTRAINT api_keys_test_without_limit CHECK (mode = 'live' OR monthly_limit IS NULL),
  CONSTRAINT api_keys_previous_whole CHECK (
    (previous_hash IS NULL) = (previous_valid_until IS NULL) AND (previous_hash IS NULL) = (previous_prefix IS NULL)
  ),
  CONSTRAINT api_keys_budget_whole CHECK (
    (monthly_limit IS NULL) = (spent IS NULL) AND (monthly_limit IS NULL) = (spent_since IS NULL)
  )
);
CREATE UNIQUE INDEX api_keys_slot_unique ON api_keys (account_id, slot) WHERE deleted_at IS NULL;
CREATE INDEX api_keys_of_account ON api_keys (account_id, created_at);
CREATE INDEX api_keys_of_maker ON api_keys (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX api_keys_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL;
-- The sweep: deleted keys without charges, and notices about limits.
CREATE INDEX api_keys_deleted ON api_keys (deleted_at) WHERE deleted_at IS NOT NULL AND NOT is_kept;
CREATE INDEX api_keys_limited ON api_keys (spent_since) WHERE monthly_limit IS NOT NULL;

-- What was created under an Idempotency-Key. Only hashes: a key may hold what its caller would not publish.
CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key_hash text NOT NULL CONSTRAINT idempotency_keys_hash_shape CHECK (key_hash ~ '^[0-9a-f]{64}$'),
  fingerprint text NOT NULL CONSTRAINT idempotency_keys_fingerprint_shape CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  made_id uuid NOT NULL,
  answered_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pk PRIMARY KEY (scope, key_hash)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (answered_at);
`;
