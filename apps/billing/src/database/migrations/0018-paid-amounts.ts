import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What was really paid for an order (tax, discount), when Stripe last answered about it, and what an operator has to decide. Only
 * columns without a value for existing rows, and rules that they keep: no table is rewritten, and the previous version runs
 * beside this one.
 */
export class PaidAmounts1797000018000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [columns, ...rules, ...indexes]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const columns = `
ALTER TABLE orders
  ADD COLUMN subtotal_cents integer,
  ADD COLUMN discount_cents integer,
  ADD COLUMN tax_cents integer,
  ADD COLUMN total_cents integer,
  ADD COLUMN answered_at timestamptz(3),
  ADD COLUMN checkout_attempts integer NOT NULL DEFAULT 1,
  ADD COLUMN returns_pending boolean NOT NULL DEFAULT false,
  ADD COLUMN problem text,
  ADD COLUMN problem_at timestamptz(3),
  ADD COLUMN resolution text,
  ADD COLUMN resolved_at timestamptz(3),
  ADD COLUMN fraud_warning_at timestamptz(3),
  ADD COLUMN problem_sessions text[] NOT NULL DEFAULT '{}'`;

/**
 * The money that went back is a share of what was paid, which was the price before this version. Credits are owed for it only once
 * they are granted.
 */
const rules = [
  'DROP CONSTRAINT orders_state_known, DROP CONSTRAINT orders_returned_range, DROP CONSTRAINT orders_not_recovered_rest',
  `ADD CONSTRAINT orders_state_known
    CHECK (state IN ('open', 'processing', 'in_review', 'granted', 'refunded', 'expired', 'failed'))`,
  `ADD CONSTRAINT orders_paid_whole CHECK (
    (subtotal_cents IS NULL) = (total_cents IS NULL) AND (discount_cents IS NULL) = (total_cents IS NULL)
    AND (tax_cents IS NULL) = (total_cents IS NULL)
  )`,
  `ADD CONSTRAINT orders_returned_range CHECK (
    returned_cents BETWEEN 0 AND COALESCE(total_cents, price_cents)
    AND (returned_cents = 0 OR state IN ('in_review', 'granted', 'refunded'))
  )`,
  `ADD CONSTRAINT orders_not_recovered_rest CHECK (
    credits_not_recovered = CASE WHEN state = 'granted' AND COALESCE(total_cents, price_cents) > 0
      THEN GREATEST(0, credits::bigint * returned_cents / COALESCE(total_cents, price_cents) - credits_taken_back)
      ELSE 0 END
  )`,
  `ADD CONSTRAINT orders_problem_whole CHECK (
    (problem IS NULL) = (problem_at IS NULL) AND (problem IS NULL) = (problem_sessions = '{}')
    AND (resolution IS NULL) = (resolved_at IS NULL) AND (resolution IS NULL OR problem IS NOT NULL)
  )`,
  `ADD CONSTRAINT orders_resolution_known CHECK (resolution IN ('granted', 'refunded'))`,
  `ADD CONSTRAINT orders_review_has_problem CHECK (
    state <> 'in_review' OR (problem IS NOT NULL AND resolution IS NULL)
  )`,
  `ADD CONSTRAINT orders_attempts_positive CHECK (checkout_attempts > 0)`,
].map((rule) => `ALTER TABLE orders ${rule}`);

/** What operators have to look at, and refunds and disputes that could not be read: few rows each. */
const indexes = [
  'CREATE INDEX orders_to_review ON orders (problem_at) WHERE problem IS NOT NULL AND resolution IS NULL',
  'CREATE INDEX orders_warned_of ON orders (fraud_warning_at) WHERE fraud_warning_at IS NOT NULL',
  'CREATE INDEX orders_returns_pending ON orders (checked_at) WHERE returns_pending',
];
