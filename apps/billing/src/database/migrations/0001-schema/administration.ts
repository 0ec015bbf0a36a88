/** Tokens of the admin API, and what the audit of the ledger has found. */
export const administration = `
-- A withdrawn token is kept, because the log names it; its name can be used again.
CREATE TABLE admin_tokens (
  id uuid CONSTRAINT admin_tokens_pk PRIMARY KEY,
  name text NOT NULL CONSTRAINT admin_tokens_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
  role text NOT NULL CONSTRAINT admin_tokens_role_known CHECK (role IN ('all', 'support', 'import', 'read')),
  hash text NOT NULL CONSTRAINT admin_tokens_hash_unique UNIQUE
    CONSTRAINT admin_tokens_hash_shape CHECK (hash ~ '^[0-9a-f]{64}$'),
  prefix text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  withdrawn_at timestamptz(3)
);
CREATE UNIQUE INDEX admin_tokens_name_unique ON admin_tokens (name) WHERE withdrawn_at IS NULL;

-- Those that have ended: result of one that is done, problem of one that failed.
CREATE TABLE audits (
  id uuid CONSTRAINT audits_pk PRIMARY KEY,
  kind text NOT NULL CONSTRAINT audits_kind_known CHECK (kind IN ('hourly', 'full')),
  ended_at timestamptz(3) NOT NULL,
  audited_until timestamptz(3),
  result jsonb,
  problem text,
  CONSTRAINT audits_result_or_problem CHECK (
    (result IS NULL) = (audited_until IS NULL) AND (result IS NULL) <> (problem IS NULL)
  )
);
CREATE INDEX audits_by_time ON audits (ended_at);

-- What lots hold by their entries until the last hourly audit that is done; those that hold nothing are left out.
CREATE TABLE audit_checkpoints (
  lot_id uuid CONSTRAINT audit_checkpoints_pk PRIMARY KEY,
  credits integer NOT NULL CONSTRAINT audit_checkpoints_not_zero CHECK (credits <> 0)
);
`;
