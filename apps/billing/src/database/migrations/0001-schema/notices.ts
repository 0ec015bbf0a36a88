/** What accounts are notified about, and each attempt to deliver it. */
export const notices = `
CREATE TABLE notice_settings (
  account_id uuid CONSTRAINT notice_settings_pk PRIMARY KEY
    CONSTRAINT notice_settings_account_fk REFERENCES accounts (id),
  balance_threshold integer CONSTRAINT notice_settings_threshold_positive CHECK (balance_threshold > 0),
  is_threshold_chosen boolean NOT NULL DEFAULT false,
  notify_on_expiry boolean NOT NULL DEFAULT true,
  notify_on_payment boolean NOT NULL DEFAULT true,
  notify_by_email boolean NOT NULL DEFAULT true,
  webhook_url text CONSTRAINT notice_settings_webhook_length CHECK (char_length(webhook_url) <= 2000),
  webhook_secret text,
  previous_webhook_secret text,
  previous_secret_until timestamptz(3),
  is_balance_low boolean NOT NULL DEFAULT false,
  balance_checked_at timestamptz(3) NOT NULL,
  webhook_checks integer NOT NULL DEFAULT 0,
  webhook_checks_from timestamptz(3),
  CONSTRAINT notice_settings_webhook_whole CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL)),
  CONSTRAINT notice_settings_previous_secret_whole
    CHECK ((previous_webhook_secret IS NULL) = (previous_secret_until IS NULL))
);
-- Finds the accounts whose balance is checked.
CREATE INDEX notice_settings_to_check ON notice_settings (balance_checked_at) WHERE balance_threshold IS NOT NULL;

CREATE TABLE notices (
  id uuid CONSTRAINT notices_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT notices_account_fk REFERENCES accounts (id),
  kind text NOT NULL CONSTRAINT notices_kind_known CHECK (kind IN
    ('balance_low', 'key_limit_near', 'key_limit_reached', 'lot_expiring', 'payment_received', 'test',
     'webhook_removed')),
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
-- The queue of each channel, and the attempts of an account that are in progress.
CREATE INDEX deliveries_waiting ON deliveries (channel, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX deliveries_in_progress ON deliveries (account_id, channel) WHERE attempt_until IS NOT NULL;
`;
