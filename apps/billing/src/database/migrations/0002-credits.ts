import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Where credits come from: agreements, orders of packs by card, adjustments; and the lots that they fill. */
export class Credits1797120001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [agreements, lots, orders, adjustments, paymentEvents, reconciliationCursor]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

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
CREATE INDEX agreements_due ON agreements (next_due_at) WHERE ended_at IS NULL;
CREATE INDEX agreements_of_account ON agreements (account_id)`;

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

/**
 * Packs bought by card. An order names its session and payment at Stripe and, once it is granted, its lot. `refreshes`
 * numbers the requests about its payment, `refresh_applied` is the latest one whose answer counts. What was returned is a
 * share of what was paid, which differs from the price by tax and discounts. The person may leave; the order stays.
 */
const orders = `
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
  checkout_expires_at timestamptz(3),
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
CREATE INDEX orders_page ON orders (ordered_at, id);
CREATE INDEX orders_unpaid ON orders (checked_at) WHERE state IN ('open', 'processing');
CREATE INDEX orders_ended ON orders (ordered_at) WHERE state IN ('expired', 'failed');
CREATE INDEX orders_not_recovered ON orders (granted_at) WHERE credits_not_recovered > 0;
CREATE INDEX orders_returns_pending ON orders (checked_at) WHERE returns_pending;
CREATE INDEX orders_to_review ON orders (problem_at) WHERE problem IS NOT NULL AND resolution IS NULL`;

/** An adjustment of an order changes that order's lot, in either direction. */
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
  order_id uuid CONSTRAINT adjustments_order_fk REFERENCES orders (id),
  CONSTRAINT adjustments_reference_unique UNIQUE (account_id, reference),
  CONSTRAINT adjustments_lot_when_goodwill_or_order CHECK (
    CASE WHEN order_id IS NULL THEN (credits > 0) = (lot_id IS NOT NULL) ELSE lot_id IS NOT NULL END
  )
);
CREATE INDEX adjustments_of_order ON adjustments (order_id) WHERE order_id IS NOT NULL`;

/**
 * Events of Stripe, recorded when they arrive and handled afterwards. Only what an event is about is kept: it may be old,
 * and what Stripe then answers about its subject decides. Events of one subject are handled together.
 */
const paymentEvents = `
CREATE TABLE payment_events (
  id text CONSTRAINT payment_events_pk PRIMARY KEY,
  type text NOT NULL,
  subject_kind text NOT NULL
    CONSTRAINT payment_events_subject_known CHECK (subject_kind IN ('session', 'payment')),
  subject_id text NOT NULL,
  source text NOT NULL CONSTRAINT payment_events_source_known CHECK (source IN ('webhook', 'reconciliation')),
  state text NOT NULL DEFAULT 'waiting'
    CONSTRAINT payment_events_state_known CHECK (state IN ('waiting', 'done', 'ignored', 'given_up')),
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
CREATE INDEX payment_events_waiting ON payment_events (received_at) WHERE state = 'waiting';
CREATE INDEX payment_events_age ON payment_events (ended_at) WHERE ended_at IS NOT NULL`;

/** One row: how far the list of events was read with this Stripe key. After a change of the key it is read again. */
const reconciliationCursor = `
CREATE TABLE reconciliation_cursor (
  id boolean CONSTRAINT reconciliation_cursor_pk PRIMARY KEY DEFAULT true,
  key_hash text,
  read_until timestamptz(3),
  CONSTRAINT reconciliation_cursor_one_row CHECK (id),
  CONSTRAINT reconciliation_cursor_whole CHECK ((key_hash IS NULL) = (read_until IS NULL))
);
INSERT INTO reconciliation_cursor DEFAULT VALUES`;
