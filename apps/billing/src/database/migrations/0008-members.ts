import { foldEmail } from '@app/contracts';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * People, the accounts that they may sign in to, how they sign in, and their sessions. The address of every account becomes
 * its owner. Accounts can be created meanwhile, which one transaction around all of it would not allow: so it may be
 * interrupted, and can be run again from its beginning.
 */
export class Members1796342400000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [people, members, sessions, signIns]) await runner.query(statement);
    await makeOwners(runner);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const people = `
CREATE TABLE IF NOT EXISTS people (
  id uuid CONSTRAINT people_pk PRIMARY KEY,
  email text NOT NULL CONSTRAINT people_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
  email_folded text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT people_email_unique UNIQUE (email_folded)
)`;

const members = `
CREATE TABLE IF NOT EXISTS members (
  account_id uuid NOT NULL CONSTRAINT members_account_fk REFERENCES accounts (id),
  person_id uuid NOT NULL CONSTRAINT members_person_fk REFERENCES people (id),
  role text NOT NULL CONSTRAINT members_role_known CHECK (role IN ('owner', 'member')),
  added_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3),
  CONSTRAINT members_pk PRIMARY KEY (account_id, person_id)
);
CREATE INDEX IF NOT EXISTS members_of_person ON members (person_id)`;

/** `sessions_age` finds old ones for the sweep. */
const sessions = `
CREATE TABLE IF NOT EXISTS sessions (
  id uuid CONSTRAINT sessions_pk PRIMARY KEY,
  token_hash text NOT NULL CONSTRAINT sessions_token_hash_shape CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  person_id uuid NOT NULL CONSTRAINT sessions_person_fk REFERENCES people (id),
  account_id uuid NOT NULL CONSTRAINT sessions_account_fk REFERENCES accounts (id),
  network text NOT NULL,
  user_agent text NOT NULL,
  signed_in_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT sessions_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX IF NOT EXISTS sessions_of_person ON sessions (person_id);
CREATE INDEX IF NOT EXISTS sessions_age ON sessions (expires_at)`;

const signIns = `
CREATE TABLE IF NOT EXISTS sign_ins (
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
  CONSTRAINT sign_ins_link_hash_unique UNIQUE (link_hash),
  CONSTRAINT sign_ins_code_of_browser CHECK ((code_hash IS NULL) = (browser_digest IS NULL))
);
CREATE INDEX IF NOT EXISTS sign_ins_of_address ON sign_ins (email_folded, created_at);
CREATE INDEX IF NOT EXISTS sign_ins_of_browser ON sign_ins (browser_digest, created_at) WHERE browser_digest IS NOT NULL;
CREATE INDEX IF NOT EXISTS sign_ins_age ON sign_ins (created_at)`;

interface AccountRow {
  readonly id: string;
  readonly email: string;
}

const batchSize = 1_000;

const insertPeople = `
  INSERT INTO people (id, email, email_folded, created_at)
  SELECT gen_random_uuid(), email, email_folded, ledger_now()
  FROM unnest($1::text[], $2::text[]) AS given (email, email_folded)
  ON CONFLICT (email_folded) DO NOTHING`;
const insertOwners = `
  INSERT INTO members (account_id, person_id, role, added_at)
  SELECT given.account_id, people.id, 'owner', ledger_now()
  FROM unnest($1::uuid[], $2::text[]) AS given (account_id, email_folded)
  JOIN people ON people.email_folded = given.email_folded
  ON CONFLICT DO NOTHING`;

/** Addresses are folded here and not in SQL, whose lower case depends on the collation. What is no address is left out. */
async function makeOwners(runner: QueryRunner): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = 'SELECT id, email FROM accounts WHERE id > $1 ORDER BY id LIMIT $2';
    const accounts = (await runner.query(page, [last, batchSize])) as AccountRow[];
    const owners = accounts.flatMap(({ id, email }) => {
      const folded = foldEmail(email);
      return folded === null ? [] : [{ id, email, folded }];
    });
    const folded = owners.map((owner) => owner.folded);
    await runner.query(insertPeople, [owners.map(({ email }) => email), folded]);
    await runner.query(insertOwners, [owners.map(({ id }) => id), folded]);
    const end = accounts.at(-1);
    if (!end || accounts.length < batchSize) return;
    last = end.id;
  }
}
