/**
 * Charges and the entries of the ledger. Two rules are the schema's own: entries are append-only, and `lots.remaining` changes
 * only through an entry, so that a lot always equals the sum of its entries.
 */
export const ledger = `
-- Goodwill makes a lot of its own (lot_id). An adjustment of an order changes that order's lot, in either direction; one of
-- a refund takes credits from the refunded lot only.
CREATE TABLE adjustments (
  id uuid CONSTRAINT adjustments_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT adjustments_account_fk REFERENCES accounts (id),
  credits integer NOT NULL CONSTRAINT adjustments_credits_not_zero CHECK (credits <> 0),
  reason text NOT NULL CONSTRAINT adjustments_reason_length CHECK (char_length(reason) BETWEEN 1 AND 500),
  reference text NOT NULL CONSTRAINT adjustments_reference_length CHECK (char_length(reference) BETWEEN 1 AND 200),
  lot_id uuid CONSTRAINT adjustments_lot_fk REFERENCES lots (id),
  credits_remaining bigint NOT NULL CONSTRAINT adjustments_balance_not_negative CHECK (credits_remaining >= 0),
  created_at timestamptz(3) NOT NULL,
  order_id uuid CONSTRAINT adjustments_order_fk REFERENCES orders (id),
  refunded_lot_id uuid CONSTRAINT adjustments_lot_refund_fk REFERENCES lot_refunds (lot_id),
  CONSTRAINT adjustments_reference_unique UNIQUE (account_id, reference),
  CONSTRAINT adjustments_lot_when_goodwill_or_order CHECK (
    CASE WHEN order_id IS NULL THEN (credits > 0) = (lot_id IS NOT NULL) ELSE lot_id IS NOT NULL END
  ),
  CONSTRAINT adjustments_refund_takes CHECK (
    refunded_lot_id IS NULL OR (credits < 0 AND lot_id IS NULL AND order_id IS NULL)
  )
);
CREATE INDEX adjustments_of_order ON adjustments (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX adjustments_of_lot_refund ON adjustments (refunded_lot_id) WHERE refunded_lot_id IS NOT NULL;
-- The audit reads what is new.
CREATE INDEX adjustments_by_time ON adjustments (created_at);

-- One row per paid call, under the gateway's id. credits_remaining is the stored outcome, which a repeated message gets
-- again. filters and total explain the price; idempotency_key_hash makes a repetition (repeat_of) free. is_abandoned: the
-- client left in the middle of the answer, whether it was then posted or voided.
-- Each partition has its own primary key: that of a partitioned table would include the state and the instant.
CREATE TABLE charges (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  request_id text NOT NULL,
  operation text NOT NULL CONSTRAINT charges_operation_known CHECK (operation IN ('search', 'profile', 'profiles')),
  credits integer NOT NULL CONSTRAINT charges_credits_not_negative CHECK (credits >= 0),
  state text NOT NULL CONSTRAINT charges_state_known CHECK (state IN ('pending', 'posted', 'voided', 'refused')),
  refusal text CONSTRAINT charges_refusal_known CHECK (refusal IN
    ('insufficient_credits', 'key_limit_reached', 'key_revoked', 'idempotency_key_reused', 'earlier_call_pending')),
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
  is_abandoned boolean NOT NULL DEFAULT false,
  CONSTRAINT charges_refusal_when_refused CHECK ((state = 'refused') = (refusal IS NOT NULL)),
  CONSTRAINT charges_reason_when_voided CHECK ((state = 'voided') = (void_reason IS NOT NULL)),
  CONSTRAINT charges_settled_unless_pending CHECK ((state = 'pending') = (settled_at IS NULL)),
  CONSTRAINT charges_search_details CHECK (operation = 'search' OR filters IS NULL),
  CONSTRAINT charges_total_of_many CHECK (operation <> 'profile' OR total IS NULL),
  CONSTRAINT charges_idempotency_whole CHECK ((idempotency_key_hash IS NULL) = (fingerprint IS NULL)),
  CONSTRAINT charges_repeat_free CHECK (repeat_of IS NULL OR (credits = 0 AND idempotency_key_hash IS NULL)),
  CONSTRAINT charges_abandoned_once_taken
    CHECK (NOT is_abandoned OR (state IN ('posted', 'voided') AND credits > 0))
) PARTITION BY LIST (state);

-- Stays small and has three indexes. A charge that ends moves to its month: its row and its entries in the indexes there
-- are written once, not twice. Rows leave all the time, so it is vacuumed by their number. The foreign keys of an ended
-- charge are checked when it moves.
CREATE TABLE charges_pending PARTITION OF charges (CONSTRAINT charges_pending_pk PRIMARY KEY (id))
  FOR VALUES IN ('pending')
  WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX charges_pending_of_account ON charges_pending (account_id, pending_until);
CREATE INDEX charges_pending_idempotent ON charges_pending (idempotency_key_hash, created_at)
  WHERE idempotency_key_hash IS NOT NULL;

CREATE TABLE charges_ended PARTITION OF charges (
  CONSTRAINT charges_account_fk FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT charges_key_fk FOREIGN KEY (key_id) REFERENCES api_keys (id)
) FOR VALUES IN ('posted', 'voided', 'refused') PARTITION BY RANGE (created_at);
CREATE INDEX charges_of_account ON charges_ended (account_id, created_at);
CREATE INDEX charges_of_key ON charges_ended (key_id, created_at);
-- Request ids that callers do not give ascend in time: the next one is on the page of the last one.
CREATE INDEX charges_of_request ON charges_ended (request_id, account_id);
CREATE INDEX charges_idempotent ON charges_ended (idempotency_key_hash, created_at)
  WHERE idempotency_key_hash IS NOT NULL AND state IN ('pending', 'posted');
-- Counts how often a call was repeated.
CREATE INDEX charges_repeats ON charges_ended (repeat_of) WHERE repeat_of IS NOT NULL;
-- The sweep deletes free and refused charges by age.
CREATE INDEX charges_free ON charges_ended (created_at) WHERE credits = 0 AND state = 'posted';
CREATE INDEX charges_refused ON charges_ended (created_at) WHERE state = 'refused';
-- The audit reads the rows of an hour. They are written in the order of time, so a block range index says which pages hold
-- them, stays small and costs a charge next to nothing. Pages that are filled again after refused charges were deleted
-- hold two times: this one keeps several for each range.
CREATE INDEX charges_by_time ON charges_ended USING brin (created_at timestamptz_minmax_multi_ops)
  WITH (autosummarize = on);

-- Entries have no foreign key to a charge, which has no single table.
CREATE FUNCTION refuse_charge_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a charge that took credits is kept' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER charges_kept BEFORE DELETE ON charges_ended
  FOR EACH ROW WHEN (OLD.credits > 0 AND OLD.state <> 'refused') EXECUTE FUNCTION refuse_charge_removal();

-- Voids that came before their charge.
CREATE TABLE charge_tombstones (
  charge_id uuid CONSTRAINT charge_tombstones_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT charge_tombstones_account_fk REFERENCES accounts (id),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX charge_tombstones_age ON charge_tombstones (created_at);
CREATE INDEX charge_tombstones_of_account ON charge_tombstones (account_id);

-- Free calls by day, kept when their charges are deleted. Their keys may have been deleted since.
CREATE TABLE free_calls (
  account_id uuid CONSTRAINT free_calls_account_fk REFERENCES accounts (id),
  day date,
  key_id uuid,
  operation text CONSTRAINT free_calls_operation_known CHECK (operation IN ('search', 'profile', 'profiles')),
  calls integer NOT NULL CONSTRAINT free_calls_positive CHECK (calls > 0),
  last_at timestamptz(3) NOT NULL,
  CONSTRAINT free_calls_pk PRIMARY KEY (account_id, day, key_id, operation)
);
CREATE INDEX free_calls_age ON free_calls (day);
CREATE INDEX free_calls_of_key ON free_calls (key_id, last_at);

-- How many calls that clients left were free. The charges of an account refer to it: these rows need not.
CREATE TABLE abandoned_calls (
  account_id uuid,
  day date,
  free integer NOT NULL CONSTRAINT abandoned_calls_free_not_negative CHECK (free >= 0),
  paid integer NOT NULL CONSTRAINT abandoned_calls_paid_not_negative CHECK (paid >= 0),
  paid_until timestamptz(3) NOT NULL,
  CONSTRAINT abandoned_calls_pk PRIMARY KEY (account_id, day)
);
CREATE INDEX abandoned_calls_age ON abandoned_calls (day);

-- Signed entries. A charge takes from each lot once and gives back once; an expiry of credits that a void returned to a
-- lot already expired names that charge. Statements are paged by the primary key. The unique indexes are those of each
-- month (create_ledger_partition). A trigger checks the lot in place of a foreign key, which would read it a second time.
CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  type text NOT NULL
    CONSTRAINT ledger_entries_type_known CHECK (type IN ('purchase', 'charge', 'reversal', 'expiry', 'adjustment')),
  credits integer NOT NULL,
  charge_id uuid,
  adjustment_id uuid CONSTRAINT ledger_entries_adjustment_fk REFERENCES adjustments (id) DEFERRABLE INITIALLY DEFERRED,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT ledger_entries_pk PRIMARY KEY (account_id, created_at, id),
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
) PARTITION BY RANGE (created_at);
-- As of charges.
CREATE INDEX ledger_entries_by_time ON ledger_entries USING brin (created_at) WITH (autosummarize = on);
-- A statement of one type passes by the charges in between. A charge writes nothing into it.
CREATE INDEX ledger_entries_besides_charges ON ledger_entries (account_id, type, created_at, id) WHERE type <> 'charge';

CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger_entries is append-only: correct with a new entry'
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_entries_not_truncated BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- Adds entries to their lots. An entry is of a lot of its account: lots are never deleted. A purchase is of the instant in
-- which its lot was made, so that its month's unique index lets no second one in. Runs as the owner of the tables, because
-- the role that writes entries may not change lots; no other role may tie it to a table of its own, whose rows would then
-- change lots.
CREATE FUNCTION apply_entries_to_lots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account_ids uuid[];
  lot_ids uuid[];
  sums integer[];
  purchases timestamptz[];
  found_lots integer;
BEGIN
  SELECT array_agg(account_id), array_agg(lot_id), array_agg(credits), array_agg(purchased)
    INTO account_ids, lot_ids, sums, purchases
    FROM (
      SELECT account_id, lot_id, sum(credits)::integer AS credits,
        max(created_at) FILTER (WHERE type = 'purchase') AS purchased
      FROM inserted GROUP BY account_id, lot_id
    ) AS changes;
  UPDATE lots
    SET remaining = lots.remaining + change.credits, is_open = lots.is_open OR lots.remaining + change.credits > 0
    FROM unnest(account_ids, lot_ids, sums, purchases) AS change (account_id, lot_id, credits, purchased)
    WHERE lots.id = change.lot_id AND lots.account_id = change.account_id
      AND (change.purchased IS NULL OR change.purchased = lots.created_at);
  GET DIAGNOSTICS found_lots = ROW_COUNT;
  IF found_lots <> coalesce(cardinality(lot_ids), 0) THEN
    RAISE EXCEPTION 'an entry is of a lot of its account, and a purchase of the instant of its lot'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION apply_entries_to_lots() FROM PUBLIC;
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION apply_entries_to_lots();
`;
