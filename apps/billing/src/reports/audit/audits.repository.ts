import { randomUUID } from 'node:crypto';
import { onlyRow, type Queryable, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type Checkpoint, type LotCredits } from './audit.repository.js';
import { type AuditOutcome } from './ledger-audit.js';

/** After one that has failed the next hourly audit begins sooner. */
const [periodSeconds, retrySeconds] = [3_600, 300];
const lotsAtOnce = 10_000;

const isDueSql = `
  SELECT NOT EXISTS (
    SELECT FROM audits WHERE kind = 'hourly'
      AND ended_at + make_interval(secs => CASE WHEN result IS NULL THEN $2::float8 ELSE $1 END) > ledger_now()
  ) AS due`;
const recordSql = `
  INSERT INTO audits (id, kind, ended_at, audited_until, result, problem) VALUES ($1, $2, ledger_now(), $3, $4, $5)`;
const auditedUntilSql = `
  SELECT audited_until AS until FROM audits WHERE kind = 'hourly' AND result IS NOT NULL ORDER BY ended_at DESC LIMIT 1`;
const saveCheckpointsSql = `
  INSERT INTO audit_checkpoints (lot_id, credits) SELECT * FROM unnest($1::uuid[], $2::integer[])
  ON CONFLICT (lot_id) DO UPDATE SET credits = excluded.credits`;

/** The audits that have ended and what they leave for the next one. Hand-written: rows in bulk. */
@Injectable()
export class AuditsRepository {
  constructor(private readonly database: TransactionRunner) {}

  async isHourlyDue(): Promise<boolean> {
    const parameters = [periodSeconds, retrySeconds];
    const { query } = this.database;
    return onlyRow(await query<{ due: boolean }>('ask whether an audit is due', isDueSql, parameters)).due;
  }

  /** Stores what the next hourly audit begins with. */
  async recordHourly(outcome: AuditOutcome, before: LotCredits): Promise<void> {
    await this.database.run(async ({ query }) => {
      await record({ query }, 'hourly', outcome);
      await saveCheckpoints({ query }, before, outcome.credits);
    });
  }

  recordFull(outcome: AuditOutcome): Promise<void> {
    return record(this.database, 'full', outcome);
  }

  async recordFailedHourly(problem: string): Promise<void> {
    await this.database.query('record audit', recordSql, [randomUUID(), 'hourly', null, null, problem]);
  }

  /** `until` is `null` before the first hourly audit. */
  async checkpoint(): Promise<{ readonly until: Date | null; readonly credits: LotCredits }> {
    return this.database.snapshot(
      async ({ query }) => {
        const [last] = await query<Checkpoint>('find audited until', auditedUntilSql);
        const rows = await query<{ lot_id: string; credits: number }>(
          'list audit checkpoints',
          'SELECT lot_id, credits FROM audit_checkpoints',
        );
        return {
          until: last?.until ?? null,
          credits: new Map(rows.map(({ lot_id, credits }) => [lot_id, credits])),
        };
      },
      { timeoutMs: 60_000 },
    );
  }
}

/** `hourly`: of the entries since the last audit; `full`: of all entries. */
async function record(
  { query }: Queryable,
  kind: 'hourly' | 'full',
  { reply, until }: AuditOutcome,
): Promise<void> {
  await query('record audit', recordSql, [randomUUID(), kind, until, JSON.stringify(reply), null]);
}

async function saveCheckpoints({ query }: Queryable, before: LotCredits, after: LotCredits): Promise<void> {
  const changed = [...after].filter(([lotId, credits]) => before.get(lotId) !== credits);
  for (let start = 0; start < changed.length; start += lotsAtOnce) {
    const part = changed.slice(start, start + lotsAtOnce);
    await query('save audit checkpoints', saveCheckpointsSql, [
      part.map(([lotId]) => lotId),
      part.map(([, credits]) => credits),
    ]);
  }
  const empty = [...before.keys()].filter((lotId) => !after.has(lotId));
  await query('delete audit checkpoints', 'DELETE FROM audit_checkpoints WHERE lot_id = ANY($1)', [empty]);
}
