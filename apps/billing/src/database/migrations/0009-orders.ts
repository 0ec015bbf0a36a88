import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Packs bought by card, and the adjustments by which credits go when the money goes back. */
export class Orders1796428800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [orders, adjustments]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/**
 * An order names its session and payment at Stripe, and once it is granted its lot. `refreshes` numbers the questions about
 * its payment, `refresh_applied` is the youngest one whose answer counts. The person may leave; the order stays.
 */
const orders = `
CREATE TABLE orders (
  id uuid CONSTRAINT orders_pk PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT orders_account_fk REFERENCES accounts (id),
  person_id uuid NOT NULL,
  pack text NOT NULL CONSTRAINT orders_pack_known CHECK (pack IN ('trial', 'builder', 'scale')),
  credits integer NOT NULL CONSTRAINT orders_credits_positive CHECK (credits > 0),
  price_cents integer NOT NULL CONSTRAINT orders_price_positive CHECK (price_cents > 0),
  state text NOT NULL
    CONSTRAINT orders_state_known CHECK (state IN ('open', 'processing', 'granted', 'expired', 'failed')),
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
  CONSTRAINT orders_lot_fk FOREIGN KEY (lot_id, account_id) REFERENCES lots (id, account_id),
  CONSTRAINT orders_granted_whole CHECK (
    (state = 'granted') = (lot_id IS NOT NULL) AND (lot_id IS NULL) = (granted_at IS NULL)
  ),
  CONSTRAINT orders_returned_range CHECK (
    returned_cents BETWEEN 0 AND price_cents AND (returned_cents = 0 OR state = 'granted')
  ),
  CONSTRAINT orders_taken_back_range CHECK (credits_taken_back BETWEEN 0 AND credits),
  CONSTRAINT orders_not_recovered_rest CHECK (
    credits_not_recovered = GREATEST(0, credits::bigint * returned_cents / price_cents - credits_taken_back)
  )
);
CREATE INDEX orders_of_account ON orders (account_id, ordered_at, id);
CREATE INDEX orders_unpaid ON orders (checked_at) WHERE state IN ('open', 'processing');
CREATE INDEX orders_not_recovered ON orders (granted_at) WHERE credits_not_recovered > 0`;

/** An adjustment of an order changes that order's lot, in either direction. */
const adjustments = `
ALTER TABLE adjustments
  ADD COLUMN order_id uuid CONSTRAINT adjustments_order_fk REFERENCES orders (id),
  DROP CONSTRAINT adjustments_lot_when_goodwill,
  ADD CONSTRAINT adjustments_lot_when_goodwill_or_order CHECK (
    CASE WHEN order_id IS NULL THEN (credits > 0) = (lot_id IS NOT NULL) ELSE lot_id IS NOT NULL END
  );
CREATE INDEX adjustments_of_order ON adjustments (order_id) WHERE order_id IS NOT NULL`;
