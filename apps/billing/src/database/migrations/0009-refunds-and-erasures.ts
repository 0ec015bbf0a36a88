import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Refunds of single lots, and erasures of people. */
export class RefundsAndErasures1797120008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [lotRefunds, ...lotRefundIndexes, ...refundedLots, ...erasures]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** A lot is refunded once, as a whole. `lot_refunds_not_recovered` finds those to which a voided charge may return credits. */
const lotRefunds = `
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
)`;

const lotRefundIndexes = [
  'CREATE INDEX lot_refunds_not_recovered ON lot_refunds (created_at) WHERE credits_not_recovered > 0',
];

/** An adjustment of a refund takes credits from that lot only. `lot_id` keeps its meaning for the version before. */
const refundedLots = [
  'ALTER TABLE adjustments ADD COLUMN refunded_lot_id uuid',
  `ALTER TABLE adjustments ADD CONSTRAINT adjustments_lot_refund_fk
    FOREIGN KEY (refunded_lot_id) REFERENCES lot_refunds (lot_id)`,
  `ALTER TABLE adjustments ADD CONSTRAINT adjustments_refund_takes CHECK (
    refunded_lot_id IS NULL OR (credits < 0 AND lot_id IS NULL AND order_id IS NULL)
  )`,
  'CREATE INDEX adjustments_of_lot_refund ON adjustments (refunded_lot_id) WHERE refunded_lot_id IS NOT NULL',
];

/**
 * Whom to erase again after a backup was restored. The indexes find what belongs to an address or a person; orders keep the id of
 * their buyer.
 */
const erasures = [
  `CREATE TABLE erasures (
    email_hash text CONSTRAINT erasures_pk PRIMARY KEY
      CONSTRAINT erasures_hash_shape CHECK (email_hash ~ '^[0-9a-f]{64}$'),
    erased_at timestamptz(3) NOT NULL,
    close_accounts boolean NOT NULL
  )`,
  'CREATE INDEX accounts_of_address ON accounts (email)',
  'CREATE INDEX orders_of_person ON orders (person_id)',
];
