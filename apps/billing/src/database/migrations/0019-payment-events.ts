import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Events of the payment provider are written down when they arrive and worked on afterwards; and how far the list of them has been
 * read. Only new tables: the previous version runs beside this one.
 */
export class PaymentEvents1797000019000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [events, ...indexes, cursor, unread]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** Nothing else is kept of an event than what it is about: it may be old, and what counts is what the provider says then. */
const events = `
CREATE TABLE payment_events (
  id text CONSTRAINT payment_events_pk PRIMARY KEY,
  type text NOT NULL,
  subject_kind text NOT NULL
    CONSTRAINT payment_events_subject_known CHECK (subject_kind IN ('session', 'payment', 'fraud_warning')),
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
)`;

/** What is due; the events of a subject, which are worked on together; the age of the oldest one that waits; what is deleted. */
const indexes = [
  "CREATE INDEX payment_events_due ON payment_events (next_attempt_at) WHERE state = 'waiting'",
  "CREATE INDEX payment_events_of_subject ON payment_events (subject_id, subject_kind) WHERE state = 'waiting'",
  "CREATE INDEX payment_events_waiting ON payment_events (received_at) WHERE state = 'waiting'",
  'CREATE INDEX payment_events_age ON payment_events (ended_at) WHERE ended_at IS NOT NULL',
];

/** The cursor belongs to one Stripe key: after a change of the key, everything is compared again. */
const cursor = `
CREATE TABLE reconciliation_cursor (
  id boolean CONSTRAINT reconciliation_cursor_pk PRIMARY KEY DEFAULT true,
  key_hash text,
  read_until timestamptz(3),
  CONSTRAINT reconciliation_cursor_one_row CHECK (id),
  CONSTRAINT reconciliation_cursor_whole CHECK ((key_hash IS NULL) = (read_until IS NULL))
)`;

const unread = 'INSERT INTO reconciliation_cursor DEFAULT VALUES';
