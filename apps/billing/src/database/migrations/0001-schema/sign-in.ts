/** How people sign in and are invited, and whom to erase again. Indexes called `_age` serve the sweep. */
export const signIn = `
-- A person has one identity of an issuer: another identity is another person, even with the same address.
CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id uuid NOT NULL CONSTRAINT identities_person_fk REFERENCES people (id) ON DELETE CASCADE,
  bound_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  CONSTRAINT identities_pk PRIMARY KEY (issuer, subject),
  CONSTRAINT identities_one_of_issuer UNIQUE (person_id, issuer)
);

-- People who were invited, or have left their last account, have sessions without an account.
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
CREATE INDEX sessions_age ON sessions (expires_at);

-- person_id wants the address instead of theirs; NULL: a sign-in. It has no foreign key, whose check opens people for each mail:
-- nothing about a mail may depend on who is known. Old rows are deleted anyway.
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
  person_id uuid,
  CONSTRAINT sign_ins_link_hash_unique UNIQUE (link_hash),
  CONSTRAINT sign_ins_code_of_browser CHECK ((code_hash IS NULL) = (browser_digest IS NULL))
);
CREATE INDEX sign_ins_of_address ON sign_ins (email_folded, created_at);
CREATE INDEX sign_ins_of_browser ON sign_ins (browser_digest, created_at) WHERE browser_digest IS NOT NULL;
-- Counts the mails to a mailbox.
CREATE INDEX sign_ins_of_mailbox ON sign_ins (mailbox, created_at);
-- Counts the addresses that a person wanted instead of theirs.
CREATE INDEX sign_ins_of_person ON sign_ins (person_id, created_at) WHERE person_id IS NOT NULL;
CREATE INDEX sign_ins_of_account ON sign_ins (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX sign_ins_age ON sign_ins (created_at);

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
-- These two count the mails of a day.
CREATE INDEX invitations_of_account ON invitations (account_id, created_at);
CREATE INDEX invitations_of_mailbox ON invitations (mailbox, created_at);
CREATE INDEX invitations_of_inviter ON invitations (invited_by);
CREATE INDEX invitations_age ON invitations (created_at);
`;
