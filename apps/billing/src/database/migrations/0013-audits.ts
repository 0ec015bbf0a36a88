import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What the hourly audit has found and where it goes on. */
export class Audits1797120012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [audits, checkpoints, ...indexes]) await runner.query(statement);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

/** Those that have ended: `result` of one that is done, `problem` of one that failed. */
const audits = `
CREATE TABLE audits (
  id uuid CONSTRAINT audits_pk PRIMARY KEY,
  kind text NOT NULL CONSTRAINT audits_kind_known CHECK (kind IN ('hourly', 'full')),
  ended_at timestamptz(3) NOT NULL,
  audited_until timestamptz(3),
  result jsonb,
  problem text,
  CONSTRAINT audits_result_or_problem CHECK ((result IS NULL) = (audited_until IS NULL) AND (result IS NULL) <> (problem IS NULL))
)`;

/** What lots hold by their entries until the last hourly audit that is done; those that hold nothing are left out. */
const checkpoints = `
CREATE TABLE audit_checkpoints (
  lot_id uuid CONSTRAINT audit_checkpoints_pk PRIMARY KEY,
  credits integer NOT NULL CONSTRAINT audit_checkpoints_not_zero CHECK (credits <> 0)
)`;

const indexes = [
  'CREATE INDEX audits_by_time ON audits (ended_at)',
  'CREATE INDEX lots_by_time ON lots (created_at)',
  'CREATE INDEX adjustments_by_time ON adjustments (created_at)',
];
