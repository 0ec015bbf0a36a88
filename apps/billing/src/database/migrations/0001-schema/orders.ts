/** Packs bought by card, and the events of Stripe about them. */
export const orders = `
-- An order names its session and payment at Stripe and, once it is granted, its lot. refreshes numbers the requests about
-- its payment, refresh_applied is the latest one whose answer counts. What was returned is a share of what was paid, which
-- differs from the price by tax and discounts. The person may leave; the order stays.
CREATE TABLE orders (
  id uuid CONSTRAINT orders_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT orders_account_fk REFERENCES accounts (id),
  person_id uuid NOT NULL,
  pack text NOT NULL CONSTRAINT orders_pack_known CHECK (pack IN ('trial', 'builder', 'scale')),
  credits integer NOT NULL CONSTRAINT orders_credits_positive CHECK (credits > 0),
  price_cents integer NOT NULL CONSTRAINT orders_price_positive CHECK (price_cents > 0),
  state text NOT NULL CONSTRAINT orders_state_known
    CHECK (state IN ('open', 'processing', 'in_review', 'granted', 'refunded', 'expired', 'failed')),
  checkout_session_id text CONSTRAINT orders_checkout_session_unique UNIQUE,
  payment_intent_id text CONSTRAINT orders_payment_intent_unique UNIQUE,
  lot_id uuid CONSTRAINT orders_lot_unique UNIQUE,
  ordered_at timestamptz(3) NOT NULL,
  granted_at timestamptz(3),
  returned_cents integer NOT NULL DEFAULT 0,
  credits_taken_back integer NOT NULL DEFAULT 0,
  credits_not_recovered integer NOT NULL DEFAULT 0,
  refreshes integer NOT NULL DEFAULT 0,
  refresh_applied integer NOT NULL DEFAULT 0,
  checked_at timestamptz(3) NOT NULL,
  checkout_url text,
  receipt_url text,
  viewed_at timestamptz(3),
  subtotal_cents integer,
  discount_cents integer,
  tax_cents integer,
  total_cents integer,
  answered_at timestamptz(3),
  checkout_attempts integer NOT NULL DEFAULT 1
    CONSTRAINT orders_attempts_positive CHECK (checkout_attempts > 0),
  returns_pending boolean NOT NULL DEFAULT false,
  problem text,
  problem_at timestamptz(3),
  resolution text CONSTRAINT orders_resolution_known CHECK (resolution IN ('granted', 'refunded')),
  resolved_at timestamptz(3),
  problem_sessions text[] NOT NULL DEFAULT '{}',
  refund_attempts integer NOT NULL DEFAULT 0,
  is_dispute_lost boolean NOT NULL DEFAULT false,
  accepted_at timestamptz(3),
  invoice_number text,
  invoice_pending boolean NOT NULL DEFAULT false,
  CONSTRAINT orders_lot_fk FOREIGN KEY (lot_id, account_id) REFERENCES lots (id, account_id),
  CONSTRAINT orders_granted_whole CHECK (
    (state = 'granted') = (lot_id IS NOT NULL) AND (lot_id IS NULL) = (granted_at IS NULL)
  ),
  CONSTRAINT orders_paid_whole CHECK (
    (subtotal_cents IS NULL) = (total_cents IS NULL) AND (discount_cents IS NULL) = (total_cents IS NULL)
    AND (tax_cents IS NULL) = (total_cents IS NULL)
  ),
  CONSTRAINT orders_returned_range CHECK (
    returned_cents BETWEEN 0 AND COALESCE(total_cents, price_cents)
    AND (returned_cents = 0 OR state IN ('in_review', 'granted', 'refunded'))
  ),
  CONSTRAINT orders_taken_back_range CHECK (credits_taken_back BETWEEN 0 AND credits),
  CONSTRAINT orders_not_recovered_rest CHECK (
    credits_not_recovered = CASE WHEN state = 'granted' AND COALESCE(total_cents, price_cents) > 0
      THEN GREATEST(0, credits::bigint * returned_cents / COALESCE(total_cents, price_cents) - credits_taken_back)
      ELSE 0 END
  ),
  CONSTRAINT orders_problem_whole CHECK (
    (problem IS NULL) = (problem_at IS NULL) AND (problem IS NULL) = (problem_sessions = '{}')
    AND (resolution IS NULL) = (resolved_at IS NULL) AND (resolution IS NULL OR problem IS NOT NULL)
  ),
  CONSTRAINT orders_review_has_problem CHECK (
    state <> 'in_review' OR (problem IS NOT NULL AND resolution IS NULL)
  )
);
CREATE INDEX orders_of_account ON orders (account_id, ordered_at, id);
CREATE INDEX orders_of_person ON orders (person_id);
CREATE INDEX orders_page ON orders (ordered_at, id);
-- What Stripe is asked about again, and what operators review.
CREATE INDEX orders_unpaid ON orders (checked_at) WHERE state IN ('open', 'processing');
CREATE INDEX orders_returns_pending ON orders (checked_at) WHERE returns_pending;
CREATE INDEX orders_invoice_pending ON orders (checked_at) WHERE invoice_pending;
CREATE INDEX orders_not_recovered ON orders (granted_at) WHERE credits_not_recovered > 0;
CREATE INDEX orders_to_review ON orders (problem_at) WHERE problem IS NOT NULL AND resolution IS NULL;
-- Those that were never paid are deleted in the end.
CREATE INDEX orders_ended ON orders (ordered_at) WHERE state IN ('expired', 'failed');

-- Events of Stripe, recorded when they arrive and handled afterwards. Only what an event is about is kept: it may be old,
-- and what Stripe then answers about its subject decides. Events of one subject are handled together.
CREATE TABLE payment_events (
  id text CONSTRAINT payment_events_pk PRIMARY KEY,
  type text NOT NULL,
  subject_kind text NOT NULL
    CONSTRAINT payment_events_subject_known CHECK (subject_kind IN ('session', 'payment')),
  subject_id text NOT NULL,
  source text NOT NULL CONSTRAINT payment_events_source_known CHECK (source IN ('webhook', 'reconciliation')),
  state text NOT NULL DEFAULT 'waiting'
    CONSTRAINT payment_events_state_known CHECK (state IN ('waiting', 'done', 'ignored')),
  attempts integer NOT NULL DEFAULT 0,
  received_at timestamptz(3) NOT NULL,
  next_attempt_at timestamptz(3),
  attempt_until timestamptz(3),
  ended_at timestamptz(3),
  problem text,
  CONSTRAINT payment_events_lengths CHECK (
    length(id) <= 255 AND length(type) <= 255 AND length(subject_id) <= 255 AND length(problem) <= 300
  ),
  CONSTRAINT payment_events_waiting_due CHECK (
    (state = 'waiting') = (next_attempt_at IS NOT NULL) AND (state = 'waiting') = (ended_at IS NULL)
  )
);
CREATE INDEX payment_events_due ON payment_events (next_attempt_at) WHERE state = 'waiting';
CREATE INDEX payment_events_of_subject ON payment_events (subject_id, subject_kind) WHERE state = 'waiting';
-- The age of the oldest one that waits.
CREATE INDEX payment_events_waiting ON payment_events (received_at) WHERE state = 'waiting';
CREATE INDEX payment_events_age ON payment_events (received_at);

-- One row: how far the list of events was read with this Stripe key. After a change of the key it is read again.
CREATE TABLE reconciliation_cursor (
  id boolean CONSTRAINT reconciliation_cursor_pk PRIMARY KEY DEFAULT true,
  key_hash text,
  read_until timestamptz(3),
  CONSTRAINT reconciliation_cursor_one_row CHECK (id),
  CONSTRAINT reconciliation_cursor_whole CHECK ((key_hash IS NULL) = (read_until IS NULL))
);
INSERT INTO reconciliation_cursor DEFAULT VALUES;
`;
