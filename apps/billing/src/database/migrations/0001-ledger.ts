import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The whole ledger. Two rules are the schema's own: entries are append-only, and `lots.remaining` changes only through an
 * entry, so that a lot always equals the sum of its entries.
 */
export class Ledger1763676000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      clock,
      accounts,
      apiKeys,
      agreements,
      lots,
      adjustments,
      charges,
      entries,
      triggers,
    ]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/**
 * The one clock of the ledger. A test database may replace the function; nothing else reads the time in SQL. Whole
 * milliseconds, and so are the columns, because that is all a JavaScript Date holds: the two can't disagree on an order.
 * Volatile: as a bound of an index scan it is written `(SELECT ledger_now())`.
 */
const clock = `
CREATE FUNCTION ledger_now() RETURNS timestamptz
  LANGUAGE sql VOLATILE
  AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$`;

const accounts = `
CREATE TABLE accounts (
  id uuid CONSTRAINT accounts_pk PRIMARY KEY,
  name text NOT NULL CONSTRAINT accounts_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  email text NOT NULL CONSTRAINT accounts_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX accounts_page ON accounts (created_at, id)`;

/** The slots make a sixth live key impossible (spec 2.5): a switched-off key keeps its slot, a deleted one frees it. */
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
  CONSTRAINT api_keys_hash_unique UNIQUE (hash)
);
CREATE UNIQUE INDEX api_keys_slot_unique ON api_keys (account_id, slot) WHERE deleted_at IS NULL`;

const agreements = `
CREATE TABLE agreements (
  id uuid CONSTRAINT agreements_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT agreements_account_fk REFERENCES accounts (id),
  credits integer NOT NULL CONSTRAINT agreements_credits_min CHECK (credits >= 10000),
  price_cents bigint NOT NULL CONSTRAINT agreements_price_positive CHECK (price_cents > 0),
  starts_at timestamptz(3) NOT NULL,
  grants integer NOT NULL DEFAULT 0 CONSTRAINT agreements_grants_positive CHECK (grants >= 0),
  next_due_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CONSTRAINT agreements_due_until_ended CHECK ((ended_at IS NULL) = (next_due_at IS NOT NULL))
);
CREATE UNIQUE INDEX agreements_one_running ON agreements (account_id) WHERE ended_at IS NULL;
CREATE INDEX agreements_due ON agreements (next_due_at) WHERE ended_at IS NULL`;

/** `lots_of_account` finds the unexpired lots of an account; there are few. */
const lots = `
CREATE TABLE lots (
  id uuid CONSTRAINT lots_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT lots_account_fk REFERENCES accounts (id),
  pack text NOT NULL
    CONSTRAINT lots_pack_known CHECK (pack IN ('trial', 'builder', 'scale', 'enterprise', 'adjustment')),
  reference text CONSTRAINT lots_reference_length CHECK (char_length(reference) BETWEEN 1 AND 200),
  credits integer NOT NULL CONSTRAINT lots_credits_positive CHECK (credits > 0),
  remaining integer NOT NULL DEFAULT 0,
  price_cents bigint NOT NULL CONSTRAINT lots_price_not_negative CHECK (price_cents >= 0),
  purchased_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT lots_reference_unique UNIQUE (account_id, reference),
  CONSTRAINT lots_account_unique UNIQUE (id, account_id),
  CONSTRAINT lots_remaining_range CHECK (remaining BETWEEN 0 AND credits),
  CONSTRAINT lots_reference_unless_adjustment CHECK ((pack = 'adjustment') = (reference IS NULL)),
  CONSTRAINT lots_lifetime CHECK (expires_at - purchased_at = interval '30 days')
);
CREATE INDEX lots_of_account ON lots (account_id, expires_at);
CREATE INDEX lots_to_expire ON lots (expires_at) WHERE remaining > 0`;

const adjustments = `
CREATE TABLE adjustments (
  id uuid CONSTRAINT adjustments_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT adjustments_account_fk REFERENCES accounts (id),
  credits integer NOT NULL CONSTRAINT adjustments_credits_not_zero CHECK (credits <> 0),
  reason text NOT NULL CONSTRAINT adjustments_reason_length CHECK (char_length(reason) BETWEEN 1 AND 500),
  reference text NOT NULL CONSTRAINT adjustments_reference_length CHECK (char_length(reference) BETWEEN 1 AND 200),
  lot_id uuid CONSTRAINT adjustments_lot_fk REFERENCES lots (id),
  credits_remaining bigint NOT NULL CONSTRAINT adjustments_balance_not_negative CHECK (credits_remaining >= 0),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT adjustments_reference_unique UNIQUE (account_id, reference),
  CONSTRAINT adjustments_lot_when_goodwill CHECK ((credits > 0) = (lot_id IS NOT NULL))
)`;

/**
 * One row per paid call, under the gateway's id. `credits_remaining` is the stored outcome that a repeated message gets.
 * A tombstone is a void that came before its charge.
 */
const charges = `
CREATE TABLE charges (
  id uuid CONSTRAINT charges_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT charges_account_fk REFERENCES accounts (id),
  key_id uuid NOT NULL CONSTRAINT charges_key_fk REFERENCES api_keys (id),
  request_id text NOT NULL,
  operation text NOT NULL CONSTRAINT charges_operation_known CHECK (operation IN ('search', 'profile')),
  credits integer NOT NULL CONSTRAINT charges_credits_not_negative CHECK (credits >= 0),
  state text NOT NULL CONSTRAINT charges_state_known CHECK (state IN ('pending', 'posted', 'voided', 'refused')),
  refusal text CONSTRAINT charges_refusal_known CHECK (refusal IN ('insufficient_credits', 'key_revoked')),
  void_reason text CONSTRAINT charges_void_reason_known CHECK (void_reason IN ('given_up', 'timed_out')),
  credits_remaining bigint NOT NULL CONSTRAINT charges_balance_not_negative CHECK (credits_remaining >= 0),
  created_at timestamptz(3) NOT NULL,
  pending_until timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  CONSTRAINT charges_refusal_when_refused CHECK ((state = 'refused') = (refusal IS NOT NULL)),
  CONSTRAINT charges_reason_when_voided CHECK ((state = 'voided') = (void_reason IS NOT NULL)),
  CONSTRAINT charges_settled_unless_pending CHECK ((state = 'pending') = (settled_at IS NULL))
);
CREATE INDEX charges_pending ON charges (pending_until) WHERE state = 'pending';
CREATE INDEX charges_pending_of_account ON charges (account_id, pending_until) WHERE state = 'pending';
CREATE INDEX charges_of_account ON charges (account_id, created_at);
CREATE INDEX charges_of_key ON charges (key_id, created_at);
CREATE TABLE charge_tombstones (
  charge_id uuid CONSTRAINT charge_tombstones_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT charge_tombstones_account_fk REFERENCES accounts (id),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX charge_tombstones_age ON charge_tombstones (created_at)`;

/**
 * Signed entries. A charge takes from each lot once and gives back once; an expiry of credits that a void returned to a
 * lot already expired names that charge.
 */
const entries = `
CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT ledger_entries_pk PRIMARY KEY,
  account_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  type text NOT NULL
    CONSTRAINT ledger_entries_type_known CHECK (type IN ('purchase', 'charge', 'reversal', 'expiry', 'adjustment')),
  credits integer NOT NULL,
  charge_id uuid CONSTRAINT ledger_entries_charge_fk REFERENCES charges (id),
  adjustment_id uuid CONSTRAINT ledger_entries_adjustment_fk REFERENCES adjustments (id) DEFERRABLE INITIALLY DEFERRED,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT ledger_entries_lot_fk FOREIGN KEY (lot_id, account_id) REFERENCES lots (id, account_id),
  CONSTRAINT ledger_entries_sign CHECK (
    CASE type
      WHEN 'purchase' THEN credits > 0
      WHEN 'reversal' THEN credits > 0
      WHEN 'adjustment' THEN credits <> 0
      ELSE credits < 0
    END
  ),
  CONSTRAINT ledger_entries_cause CHECK (
    CASE type
      WHEN 'charge' THEN charge_id IS NOT NULL AND adjustment_id IS NULL
      WHEN 'reversal' THEN charge_id IS NOT NULL AND adjustment_id IS NULL
      WHEN 'expiry' THEN adjustment_id IS NULL
      WHEN 'adjustment' THEN charge_id IS NULL AND adjustment_id IS NOT NULL
      ELSE charge_id IS NULL AND adjustment_id IS NULL
    END
  )
);
CREATE UNIQUE INDEX ledger_entries_once_per_charge ON ledger_entries (charge_id, lot_id, type)
  WHERE charge_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entries_one_purchase ON ledger_entries (lot_id) WHERE type = 'purchase';
CREATE UNIQUE INDEX ledger_entries_once_per_adjustment ON ledger_entries (adjustment_id, lot_id)
  WHERE adjustment_id IS NOT NULL;
CREATE INDEX ledger_entries_of_account ON ledger_entries (account_id, id);
CREATE INDEX ledger_entries_of_lot ON ledger_entries (lot_id)`;

const triggers = `
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger_entries is append-only: correct with a new entry'
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

CREATE FUNCTION apply_entries_to_lots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE lots
    SET remaining = lots.remaining + change.credits
    FROM (SELECT lot_id, sum(credits)::integer AS credits FROM inserted GROUP BY lot_id) AS change
    WHERE lots.id = change.lot_id;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION apply_entries_to_lots();

CREATE FUNCTION guard_lots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.remaining <> 0 THEN
      RAISE EXCEPTION 'a lot opens with 0 credits: its first entry fills it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' OR pg_trigger_depth() < 2
    OR to_jsonb(NEW) - 'remaining' IS DISTINCT FROM to_jsonb(OLD) - 'remaining' THEN
    RAISE EXCEPTION 'lots change only through ledger_entries' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER lots_guard BEFORE INSERT OR UPDATE OR DELETE ON lots
  FOR EACH ROW EXECUTE FUNCTION guard_lots()`;
