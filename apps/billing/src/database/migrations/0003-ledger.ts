import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Charges and the entries of the ledger. Two rules are the schema's own: entries are append-only, and `lots.remaining`
 * changes only through an entry, so that a lot always equals the sum of its entries.
 */
export class Ledger1797120002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      charges,
      freeCalls,
      entries,
      appendOnly,
      applyEntries,
      applyAsOwner,
      guardLots,
    ]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/**
 * One row per paid call, under the gateway's id. `credits_remaining` is the stored outcome, which a repeated message gets
 * again. `filters` and `total` explain the price; `idempotency_key_hash` makes a repetition free. A tombstone is a void
 * that came before its charge.
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
  refusal text CONSTRAINT charges_refusal_known
    CHECK (refusal IN ('insufficient_credits', 'key_revoked', 'idempotency_key_reused', 'earlier_call_pending')),
  void_reason text CONSTRAINT charges_void_reason_known CHECK (void_reason IN ('given_up', 'timed_out')),
  credits_remaining bigint NOT NULL CONSTRAINT charges_balance_not_negative CHECK (credits_remaining >= 0),
  created_at timestamptz(3) NOT NULL,
  pending_until timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  filters text,
  total integer CONSTRAINT charges_total_not_negative CHECK (total >= 0),
  idempotency_key_hash text,
  fingerprint text,
  repeat_of uuid,
  CONSTRAINT charges_refusal_when_refused CHECK ((state = 'refused') = (refusal IS NOT NULL)),
  CONSTRAINT charges_reason_when_voided CHECK ((state = 'voided') = (void_reason IS NOT NULL)),
  CONSTRAINT charges_settled_unless_pending CHECK ((state = 'pending') = (settled_at IS NULL)),
  CONSTRAINT charges_search_details CHECK (operation = 'search' OR (filters IS NULL AND total IS NULL)),
  CONSTRAINT charges_idempotency_whole CHECK ((idempotency_key_hash IS NULL) = (fingerprint IS NULL)),
  CONSTRAINT charges_repeat_free CHECK (repeat_of IS NULL OR (credits = 0 AND idempotency_key_hash IS NULL))
);
CREATE INDEX charges_pending ON charges (pending_until) WHERE state = 'pending';
CREATE INDEX charges_pending_of_account ON charges (account_id, pending_until) WHERE state = 'pending';
CREATE INDEX charges_of_account ON charges (account_id, created_at);
CREATE INDEX charges_of_key ON charges (key_id, created_at);
CREATE INDEX charges_of_request ON charges (account_id, request_id);
CREATE INDEX charges_idempotent ON charges (idempotency_key_hash, created_at)
  WHERE idempotency_key_hash IS NOT NULL AND state IN ('pending', 'posted');
CREATE INDEX charges_free ON charges (created_at) WHERE credits = 0 AND state = 'posted';
CREATE INDEX charges_refused ON charges (created_at) WHERE state = 'refused';
CREATE TABLE charge_tombstones (
  charge_id uuid CONSTRAINT charge_tombstones_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT charge_tombstones_account_fk REFERENCES accounts (id),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX charge_tombstones_age ON charge_tombstones (created_at);
CREATE INDEX charge_tombstones_of_account ON charge_tombstones (account_id)`;

/** Free calls by day, kept when their charges are deleted. Their keys may have been deleted since. */
const freeCalls = `
CREATE TABLE free_calls (
  account_id uuid CONSTRAINT free_calls_account_fk REFERENCES accounts (id),
  day date,
  key_id uuid,
  operation text CONSTRAINT free_calls_operation_known CHECK (operation IN ('search', 'profile')),
  calls integer NOT NULL CONSTRAINT free_calls_positive CHECK (calls > 0),
  last_at timestamptz(3) NOT NULL,
  CONSTRAINT free_calls_pk PRIMARY KEY (account_id, day, key_id, operation)
);
CREATE INDEX free_calls_age ON free_calls (day);
CREATE INDEX free_calls_of_key ON free_calls (key_id, last_at)`;

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

/** Entries are never changed: one trigger guards the rows, the other one against TRUNCATE. */
const appendOnly = `
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger_entries is append-only: correct with a new entry'
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_entries_not_truncated BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`;

/** A separate statement reads the inserted rows. */
const applyEntries = `
CREATE FUNCTION apply_entries_to_lots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lot_ids uuid[];
  sums integer[];
BEGIN
  SELECT array_agg(lot_id), array_agg(credits) INTO lot_ids, sums
    FROM (SELECT lot_id, sum(credits)::integer AS credits FROM inserted GROUP BY lot_id) AS change;
  UPDATE lots
    SET remaining = lots.remaining + change.credits
    FROM unnest(lot_ids, sums) AS change (lot_id, credits)
    WHERE lots.id = change.lot_id;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION apply_entries_to_lots()`;

/**
 * A role that may not change lots can still write entries: these change lots with the rights of the owner. The function
 * finds `lots` where the migration found it, whatever search path the caller has set. No other role may tie it to a table
 * of its own, whose rows would then change lots; the trigger on `ledger_entries` needs no such right.
 */
const applyAsOwner = `
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION apply_entries_to_lots() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$;
REVOKE EXECUTE ON FUNCTION apply_entries_to_lots() FROM PUBLIC`;

const guardLots = `
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
