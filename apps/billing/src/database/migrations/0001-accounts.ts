import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Accounts, the people who sign in to them, API keys and notices. */
export class Accounts1797120000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      clock,
      accounts,
      people,
      identities,
      sessions,
      signIns,
      invitations,
      apiKeys,
      idempotencyKeys,
      noticeSettings,
      notices,
    ]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/**
 * The one clock of billing. A test database may replace the function; nothing else reads the time in SQL. Whole
 * milliseconds, and so are the columns, because that is all a JavaScript Date holds: the two can't disagree on an order.
 * Volatile: as a bound of an index scan it is written `(SELECT ledger_now())`.
 */
const clock = `
CREATE FUNCTION ledger_now() RETURNS timestamptz
  LANGUAGE sql VOLATILE
  AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$`;

/**
 * `signed_up_from` is the network of a sign-up, NULL for accounts of operators. Networks are compared by their beginnings,
 * which an index serves only in the collation "C". At `next_check_at` the sweep checks whether an account that signed up
 * is in use.
 */
const accounts = `
CREATE TABLE accounts (
  id uuid CONSTRAINT accounts_pk PRIMARY KEY,
  name text NOT NULL CONSTRAINT accounts_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  email text NOT NULL CONSTRAINT accounts_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
  created_at timestamptz(3) NOT NULL,
  signed_up_from text COLLATE "C",
  next_check_at timestamptz(3)
);
CREATE INDEX accounts_page ON accounts (created_at, id);
CREATE INDEX accounts_to_check ON accounts (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX accounts_signed_up ON accounts (signed_up_from) WHERE signed_up_from IS NOT NULL`;

const people = `
CREATE TABLE people (
  id uuid CONSTRAINT people_pk PRIMARY KEY,
  email text NOT NULL CONSTRAINT people_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
  email_folded text NOT NULL,
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
CREATE INDEX members_of_person ON members (person_id)`;

/** A person has one identity of an issuer: another identity is another person, even with the same address. */
const identities = `
CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id uuid NOT NULL CONSTRAINT identities_person_fk REFERENCES people (id) ON DELETE CASCADE,
  bound_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  CONSTRAINT identities_pk PRIMARY KEY (issuer, subject),
  CONSTRAINT identities_one_of_issuer UNIQUE (person_id, issuer)
)`;

/** People who were invited, or have left their last account, have sessions without an account. */
const sessions = `
CREATE TABLE sessions (
  id uuid CONSTRAINT sessions_pk PRIMARY KEY,
  token_hash text NOT NULL CONSTRAINT sessions_token_hash_shape CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  person_id uuid NOT NULL CONSTRAINT sessions_person_fk REFERENCES people (id),
  account_id uuid CONSTRAINT sessions_account_fk REFERENCES accounts (id),
  network text NOT NULL,
  user_agent text NOT NULL,
  signed_in_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  method text NOT NULL CONSTRAINT sessions_method_known CHECK (method IN ('mail', 'provider', 'operator')),
  is_address_proven boolean NOT NULL DEFAULT true,
  CONSTRAINT sessions_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX sessions_of_person ON sessions (person_id);
CREATE INDEX sessions_of_account ON sessions (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX sessions_age ON sessions (expires_at)`;

/** `sign_ins_of_mailbox` counts the mails to a mailbox. */
const signIns = `
CREATE TABLE sign_ins (
  id uuid CONSTRAINT sign_ins_pk PRIMARY KEY,
  email_folded text NOT NULL,
  link_hash text NOT NULL CONSTRAINT sign_ins_link_hash_shape CHECK (link_hash ~ '^[0-9a-f]{64}$'),
  code_hash text CONSTRAINT sign_ins_code_hash_shape CHECK (code_hash ~ '^[0-9a-f]{64}$'),
  browser_digest text CONSTRAINT sign_ins_browser_digest_shape CHECK (browser_digest ~ '^[0-9a-f]{64}$'),
  account_id uuid CONSTRAINT sign_ins_account_fk REFERENCES accounts (id),
  attempts integer NOT NULL DEFAULT 0 CONSTRAINT sign_ins_attempts_range CHECK (attempts BETWEEN 0 AND 5),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  mailbox text,
  CONSTRAINT sign_ins_link_hash_unique UNIQUE (link_hash),
  CONSTRAINT sign_ins_code_of_browser CHECK ((code_hash IS NULL) = (browser_digest IS NULL))
);
CREATE INDEX sign_ins_of_address ON sign_ins (email_folded, created_at);
CREATE INDEX sign_ins_of_browser ON sign_ins (browser_digest, created_at) WHERE browser_digest IS NOT NULL;
CREATE INDEX sign_ins_of_mailbox ON sign_ins (mailbox, created_at);
CREATE INDEX sign_ins_of_account ON sign_ins (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX sign_ins_age ON sign_ins (created_at)`;

/** `invitations_of_account` and `invitations_of_mailbox` count the mails of a day. */
const invitations = `
CREATE TABLE invitations (
  id uuid CONSTRAINT invitations_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT invitations_account_fk REFERENCES accounts (id),
  email_folded text NOT NULL,
  mailbox text NOT NULL,
  role text NOT NULL CONSTRAINT invitations_role_known CHECK (role IN ('owner', 'member')),
  invited_by uuid NOT NULL CONSTRAINT invitations_person_fk REFERENCES people (id),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
CREATE UNIQUE INDEX invitations_open ON invitations (account_id, email_folded) WHERE ended_at IS NULL;
CREATE INDEX invitations_of_address ON invitations (email_folded) WHERE ended_at IS NULL;
CREATE INDEX invitations_of_account ON invitations (account_id, created_at);
CREATE INDEX invitations_of_mailbox ON invitations (mailbox, created_at);
CREATE INDEX invitations_of_inviter ON invitations (invited_by);
CREATE INDEX invitations_age ON invitations (created_at)`;

/**
 * The slots make a sixth live key impossible: a switched-off key keeps its slot, a deleted one frees it. `is_kept`: a
 * deleted key that charges name. `created_by` is NULL for the keys of operators.
 */
const apiKeys = `
CREATE TABLE api_keys (
  id uuid CONSTRAINT api_keys_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT api_keys_account_fk REFERENCES accounts (id),
  name text NOT NULL CONSTRAINT api_keys_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
  hash text NOT NULL CONSTRAINT api_keys_hash_shape CHECK (hash ~ '^[0-9a-f]{64}$'),
  prefix text NOT NULL,
  slot smallint NOT NULL CONSTRAINT api_keys_slot_range CHECK (slot BETWEEN 1 AND 5),
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  is_kept boolean NOT NULL DEFAULT false,
  created_by uuid CONSTRAINT api_keys_person_fk REFERENCES people (id),
  CONSTRAINT api_keys_hash_unique UNIQUE (hash)
);
CREATE UNIQUE INDEX api_keys_slot_unique ON api_keys (account_id, slot) WHERE deleted_at IS NULL;
CREATE INDEX api_keys_of_account ON api_keys (account_id, created_at);
CREATE INDEX api_keys_of_maker ON api_keys (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX api_keys_deleted ON api_keys (deleted_at) WHERE deleted_at IS NOT NULL AND NOT is_kept`;

/** What was made under an Idempotency-Key. Only hashes: a key may hold what its caller would not publish. */
const idempotencyKeys = `
CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key_hash text NOT NULL CONSTRAINT idempotency_keys_hash_shape CHECK (key_hash ~ '^[0-9a-f]{64}$'),
  fingerprint text NOT NULL CONSTRAINT idempotency_keys_fingerprint_shape CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  made_id uuid NOT NULL,
  answered_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pk PRIMARY KEY (scope, key_hash)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (answered_at)`;

/** `notice_settings_to_check` finds the accounts whose balance is checked. */
const noticeSettings = `
CREATE TABLE notice_settings (
  account_id uuid CONSTRAINT notice_settings_pk PRIMARY KEY
    CONSTRAINT notice_settings_account_fk REFERENCES accounts (id),
  balance_threshold integer CONSTRAINT notice_settings_threshold_positive CHECK (balance_threshold > 0),
  notify_on_expiry boolean NOT NULL DEFAULT true,
  notify_on_payment boolean NOT NULL DEFAULT true,
  notify_by_email boolean NOT NULL DEFAULT true,
  webhook_url text CONSTRAINT notice_settings_webhook_length CHECK (char_length(webhook_url) <= 2000),
  webhook_secret text,
  is_balance_low boolean NOT NULL DEFAULT false,
  balance_checked_at timestamptz(3) NOT NULL,
  webhook_checks integer NOT NULL DEFAULT 0,
  webhook_checks_from timestamptz(3),
  CONSTRAINT notice_settings_webhook_whole CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL))
);
CREATE INDEX notice_settings_to_check ON notice_settings (balance_checked_at) WHERE balance_threshold IS NOT NULL`;

/** `deliveries_waiting` is the queue of each channel; `deliveries_in_progress` counts the attempts of an account. */
const notices = `
CREATE TABLE notices (
  id uuid CONSTRAINT notices_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT notices_account_fk REFERENCES accounts (id),
  kind text NOT NULL
    CONSTRAINT notices_kind_known CHECK (kind IN ('balance_low', 'lot_expiring', 'payment_received', 'test')),
  subject text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT notices_once UNIQUE (account_id, kind, subject)
);
CREATE INDEX notices_age ON notices (created_at);
CREATE TABLE deliveries (
  id uuid CONSTRAINT deliveries_pk PRIMARY KEY,
  notice_id uuid NOT NULL CONSTRAINT deliveries_notice_fk REFERENCES notices (id) ON DELETE CASCADE,
  account_id uuid NOT NULL CONSTRAINT deliveries_account_fk REFERENCES accounts (id),
  channel text NOT NULL CONSTRAINT deliveries_channel_known CHECK (channel IN ('mail', 'webhook')),
  person_id uuid CONSTRAINT deliveries_person_fk REFERENCES people (id),
  state text NOT NULL DEFAULT 'waiting'
    CONSTRAINT deliveries_state_known CHECK (state IN ('waiting', 'delivered', 'given_up')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  problem text,
  created_at timestamptz(3) NOT NULL,
  attempt_until timestamptz(3),
  CONSTRAINT deliveries_person_of_mail CHECK ((channel = 'mail') = (person_id IS NOT NULL)),
  CONSTRAINT deliveries_waiting_due CHECK ((state = 'waiting') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX deliveries_of_notice ON deliveries (notice_id);
CREATE INDEX deliveries_of_account ON deliveries (account_id, created_at);
CREATE INDEX deliveries_of_person ON deliveries (person_id) WHERE person_id IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (channel, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX deliveries_in_progress ON deliveries (account_id, channel) WHERE attempt_until IS NOT NULL`;
