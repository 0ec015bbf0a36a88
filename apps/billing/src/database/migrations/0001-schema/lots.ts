/** Agreements and lots of credits. A lot changes only through the entries of the ledger. */
export const lots = `
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
CREATE INDEX agreements_due ON agreements (next_due_at) WHERE ended_at IS NULL;
CREATE INDEX agreements_of_account ON agreements (account_id);

-- A charge changes remaining, and nothing else. No index has that column in it or in its condition, and pages have room,
-- so PostgreSQL writes the row again beside itself and leaves all indexes as they are (a HOT update). Which lots are
-- still to expire says is_open instead, which changes once.
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
  is_open boolean NOT NULL DEFAULT true,
  CONSTRAINT lots_reference_unique UNIQUE (account_id, reference),
  CONSTRAINT lots_account_unique UNIQUE (id, account_id),
  CONSTRAINT lots_remaining_range CHECK (remaining BETWEEN 0 AND credits),
  CONSTRAINT lots_reference_unless_adjustment CHECK ((pack = 'adjustment') = (reference IS NULL)),
  CONSTRAINT lots_lifetime CHECK (expires_at - purchased_at = interval '30 days')
) WITH (fillfactor = 50);
-- Finds the unexpired lots of an account; there are few.
CREATE INDEX lots_of_account ON lots (account_id, expires_at);
CREATE INDEX lots_to_expire ON lots (expires_at) WHERE is_open;
-- The audit reads what is new.
CREATE INDEX lots_by_time ON lots (created_at);

-- An entry changes what a lot holds, and opens it; the sweep closes one that has expired and is empty. Nothing else
-- ever changes.
CREATE FUNCTION guard_lots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  others record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.remaining <> 0 THEN
      RAISE EXCEPTION 'a lot opens with 0 credits: its first entry fills it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    others := NEW;
    IF pg_trigger_depth() >= 2 THEN
      others.remaining := OLD.remaining;
      others.is_open := OLD.is_open;
    ELSIF OLD.is_open AND NEW.remaining = 0 AND NEW.expires_at <= ledger_now() THEN
      others.is_open := OLD.is_open;
    END IF;
    IF others IS NOT DISTINCT FROM OLD THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'lots change only through ledger_entries' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER lots_guard BEFORE INSERT OR UPDATE OR DELETE ON lots
  FOR EACH ROW EXECUTE FUNCTION guard_lots();

-- A lot is refunded once, as a whole.
CREATE TABLE lot_refunds (
  lot_id uuid CONSTRAINT lot_refunds_pk PRIMARY KEY,
  account_id uuid NOT NULL,
  reason text NOT NULL CONSTRAINT lot_refunds_reason_length CHECK (char_length(reason) BETWEEN 1 AND 500),
  reference text NOT NULL CONSTRAINT lot_refunds_reference_length CHECK (char_length(reference) BETWEEN 1 AND 200),
  credits_taken_back integer NOT NULL CONSTRAINT lot_refunds_taken_back_not_negative CHECK (credits_taken_back >= 0),
  credits_not_recovered integer NOT NULL
    CONSTRAINT lot_refunds_not_recovered_not_negative CHECK (credits_not_recovered >= 0),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT lot_refunds_lot_fk FOREIGN KEY (lot_id, account_id) REFERENCES lots (id, account_id),
  CONSTRAINT lot_refunds_reference_unique UNIQUE (account_id, reference)
);
-- Finds those to which a voided charge may return credits.
CREATE INDEX lot_refunds_not_recovered ON lot_refunds (created_at) WHERE credits_not_recovered > 0;
`;
