import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What the hourly audit has found and where it goes on. */
export class Audits1797120012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [audits, ...auditIndexes, checkpoints, ...byTime]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** An audit is claimed by its row: only one of a kind is running. A replica that dies while it audits loses it after `running_until`. */
const audits = `
CREATE TABLE audits (
  id uuid CONSTRAINT audits_pk PRIMARY KEY,
  kind text NOT NULL CONSTRAINT audits_kind_known CHECK (kind IN ('hourly', 'full')),
  state text NOT NULL DEFAULT 'running'
    CONSTRAINT audits_state_known CHECK (state IN ('running', 'done', 'failed', 'cancelled')),
  started_at timestamptz(3) NOT NULL,
  running_until timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  progress real NOT NULL DEFAULT 0 CONSTRAINT audits_progress_share CHECK (progress BETWEEN 0 AND 1),
  audited_until timestamptz(3),
  result jsonb,
  problem text,
  CONSTRAINT audits_ended_unless_running CHECK ((state = 'running') = (ended_at IS NULL)),
  CONSTRAINT audits_result_when_done CHECK ((state = 'done') = (result IS NOT NULL) AND (result IS NULL) = (audited_until IS NULL))
)`;
const auditIndexes = [
  "CREATE UNIQUE INDEX audits_one_running ON audits (kind) WHERE state = 'running'",
  'CREATE INDEX audits_by_time ON audits (started_at)',
];

/** What lots hold by their entries until the last hourly audit that is done; those that hold nothing are left out. */
const checkpoints = `
CREATE TABLE audit_checkpoints (
  lot_id uuid CONSTRAINT audit_checkpoints_pk PRIMARY KEY,
  credits integer NOT NULL CONSTRAINT audit_checkpoints_not_zero CHECK (credits <> 0)
)`;

const byTime = [
  'CREATE INDEX lots_by_time ON lots (created_at)',
  'CREATE INDEX adjustments_by_time ON adjustments (created_at)',
];
