import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What accounts are told, where, and what has become of it. */
export class Notices1796515200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [settings, notices, deliveries]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** `notice_settings_to_check` finds the accounts whose balance is looked at. */
const settings = `
CREATE TABLE notice_settings (
  account_id uuid CONSTRAINT notice_settings_pk PRIMARY KEY
    CONSTRAINT notice_settings_account_fk REFERENCES accounts (id),
  balance_threshold integer CONSTRAINT notice_settings_threshold_positive CHECK (balance_threshold > 0),
  is_expiry_told boolean NOT NULL DEFAULT true,
  is_payment_told boolean NOT NULL DEFAULT true,
  is_mailed boolean NOT NULL DEFAULT true,
  webhook_url text CONSTRAINT notice_settings_webhook_length CHECK (char_length(webhook_url) <= 2000),
  webhook_secret text,
  is_balance_low boolean NOT NULL DEFAULT false,
  balance_checked_at timestamptz(3) NOT NULL,
  CONSTRAINT notice_settings_webhook_whole CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL))
);
CREATE INDEX notice_settings_to_check ON notice_settings (balance_checked_at) WHERE balance_threshold IS NOT NULL`;

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
CREATE INDEX notices_age ON notices (created_at)`;

/** `deliveries_due` is the queue of the outbox. */
const deliveries = `
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
  CONSTRAINT deliveries_person_of_mail CHECK ((channel = 'mail') = (person_id IS NOT NULL)),
  CONSTRAINT deliveries_waiting_due CHECK ((state = 'waiting') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX deliveries_of_notice ON deliveries (notice_id);
CREATE INDEX deliveries_of_account ON deliveries (account_id, created_at);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'waiting'`;
