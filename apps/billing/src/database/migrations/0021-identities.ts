import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Who an OpenID provider means by a subject; how a session was opened; what accounts ask of those who sign in. Only new tables, and
 * columns with constant defaults: no table is rewritten, and the previous version runs beside this one.
 */
export class Identities1797000021000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [identities, ...joinDomains, ...columns]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/**
 * A person has one identity of an issuer: whoever comes with another one is somebody else, whatever their address. They go with the
 * person, whom the previous version deletes too.
 */
const identities = `
CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id uuid NOT NULL,
  bound_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  CONSTRAINT identities_pk PRIMARY KEY (issuer, subject),
  CONSTRAINT identities_one_of_issuer UNIQUE (person_id, issuer),
  CONSTRAINT identities_person_fk FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE
)`;

const joinDomains = [
  `CREATE TABLE join_domains (
     domain text NOT NULL,
     account_id uuid NOT NULL,
     CONSTRAINT join_domains_pk PRIMARY KEY (domain, account_id),
     CONSTRAINT join_domains_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id)
   )`,
  'CREATE INDEX join_domains_of_account ON join_domains (account_id)',
];

/** The previous version signs in with an identity only whose address is the person's. */
const columns = [
  'ALTER TABLE sessions ADD COLUMN method text, ADD COLUMN is_address_proven boolean NOT NULL DEFAULT true',
  `ALTER TABLE sessions
     ADD CONSTRAINT sessions_method_known CHECK (method IN ('mail', 'provider', 'operator'))`,
  'ALTER TABLE accounts ADD COLUMN provider_only boolean NOT NULL DEFAULT false, ADD COLUMN session_hours integer',
  `ALTER TABLE accounts
     ADD CONSTRAINT accounts_session_hours_range CHECK (session_hours BETWEEN 1 AND 720)`,
];
