import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Memberships begin with an invitation that is accepted; existing members stay members. Keys record who created them. */
export class Invitations1797000015000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [invitations, sessionsWithoutAccount, makers]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** `invitations_of_account` and `invitations_of_mailbox` count mails of a day; `invitations_age` finds old ones for the sweep. */
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
CREATE INDEX invitations_age ON invitations (created_at)`;

/** Of people who were invited, or have left their last account. */
const sessionsWithoutAccount = 'ALTER TABLE sessions ALTER COLUMN account_id DROP NOT NULL';

/** `NULL` for existing keys: it was not recorded. */
const makers =
  'ALTER TABLE api_keys ADD COLUMN created_by uuid CONSTRAINT api_keys_person_fk REFERENCES people (id)';
