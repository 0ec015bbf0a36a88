import { type AuditSummary, type AuditView } from '#contracts';
import {
  type ChangeContext,
  type Query,
  type Queryable,
  type Transaction,
  TransactionRunner,
} from '#platform/database';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type Checkpoint, type LotCredits } from './audit.repository.js';
import { type AuditOutcome } from './ledger-audit.js';

/** A replica that has not prolonged its audit for so long is dead. */
const leaseSeconds = 120;
/** After one that has failed the next hourly audit begins sooner. */
const [periodSeconds, retrySeconds] = [3_600, 300];
const listedMax = 50;
const lotsAtOnce = 10_000;

/** A row with its times as they are stored. */
type Stored<View> = Omit<View, 'started_at' | 'ended_at'> & {
  readonly started_at: Date;
  readonly ended_at: Date | null;
};

const columns = `id, kind, state, started_at, ended_at, progress,
  jsonb_array_length(result -> 'discrepancies') AS discrepancies, problem`;

const endDeadSql = `
  UPDATE audits SET state = 'failed', ended_at = ledger_now(), problem = 'The replica that ran it has stopped.'
  WHERE state = 'running' AND running_until < ledger_now()`;
/** Two replicas that ask at once: the unique index lets one of them insert. */
const insertSql = (condition: string) => `
  INSERT INTO audits (id, kind, started_at, running_until)
  SELECT $1, $2, now, now + make_interval(secs => $3) FROM ledger_now() AS now
  WHERE ${condition}
  ON CONFLICT DO NOTHING
  RETURNING id`;
const isDueSql = `
  NOT EXISTS (
    SELECT FROM audits WHERE kind = 'hourly'
      AND started_at + make_interval(secs => CASE state WHEN 'failed' THEN $5::float8 ELSE $4 END) > ledger_now()
  )`;
const prolongSql = `
  UPDATE audits SET running_until = ledger_now() + make_interval(secs => $2), progress = $3
  WHERE id = $1 AND state = 'running' RETURNING id`;
const finishSql = `
  UPDATE audits SET state = 'done', ended_at = ledger_now(), progress = 1, audited_until = $2, result = $3
  WHERE id = $1 AND state = 'running' RETURNING id`;
const recordSql = `
  INSERT INTO audits (id, kind, state, started_at, running_until, ended_at, progress, audited_until, result)
  SELECT $1, 'full', 'done', now, now, now, 1, $2, $3 FROM ledger_now() AS now`;
const failSql = `
  UPDATE audits SET state = 'failed', ended_at = ledger_now(), problem = $2 WHERE id = $1 AND state = 'running'`;
const cancelSql = `
  UPDATE audits SET state = 'cancelled', ended_at = ledger_now()
  WHERE id = $1 AND state = 'running' AND kind = 'full'`;
const auditedUntilSql = `
  SELECT audited_until AS until FROM audits WHERE kind = 'hourly' AND state = 'done' ORDER BY started_at DESC LIMIT 1`;
const saveCheckpointsSql = `
  INSERT INTO audit_checkpoints (lot_id, credits) SELECT * FROM unnest($1::uuid[], $2::integer[])
  ON CONFLICT (lot_id) DO UPDATE SET credits = excluded.credits`;
/** Those of the last day: an alert is not to end before somebody has looked. */
const lastDaySql = `
  SELECT max(jsonb_array_length(result -> 'discrepancies'))::float8 AS value
  FROM audits WHERE state = 'done' AND started_at > ledger_now() - interval '1 day'`;
const lastDoneSql = `
  SELECT extract(epoch FROM max(ended_at))::float8 AS value FROM audits
  WHERE state = 'done' AND kind = 'hourly' AND started_at > ledger_now() - interval '7 days'`;

/** The audits and what they leave for the next one. Hand-written: claims, and rows in bulk. */
@Injectable()
export class AuditsRepository {
  constructor(private readonly database: TransactionRunner) {}

  /** The id of a new full audit; `null`: one is running. */
  claimFull(by: ChangeContext = {}): Promise<string | null> {
    const claim = async ({ query, record }: Transaction): Promise<string | null> => {
      const id = await claimWith(query, insertSql('true'), ['full', leaseSeconds]);
      if (id !== null) await record({ action: 'audit.started', subject: id });
      return id;
    };
    return this.database.run(claim, by);
  }

  /** The id of a new hourly audit; `null`: none is due, or another replica has it. */
  claimHourly(): Promise<string | null> {
    const parameters = ['hourly', leaseSeconds, periodSeconds, retrySeconds];
    return claimWith(this.database.query, insertSql(isDueSql), parameters);
  }

  /** `false`: the audit was cancelled, or another replica took this one for dead. */
  async prolong(id: string, progress: number): Promise<boolean> {
    const rows = await this.database.query('prolong audit', prolongSql, [id, leaseSeconds, progress]);
    return rows.length > 0;
  }

  async finishFull(id: string, { reply, until }: AuditOutcome): Promise<void> {
    await this.database.query('finish audit', finishSql, [id, until, JSON.stringify(reply)]);
  }

  /** Stores what the next hourly audit begins with. Nothing is stored by a replica that has lost its audit. */
  async finishHourly(
    id: string,
    { reply, until, credits }: AuditOutcome,
    before: LotCredits,
  ): Promise<boolean> {
    return this.database.run(async ({ query }) => {
      const rows = await query('finish audit', finishSql, [id, until, JSON.stringify(reply)]);
      if (rows.length === 0) return false;
      await this.saveCheckpoints({ query }, before, credits);
      return true;
    });
  }

  /** A full audit that was one request from beginning to end. */
  async record({ reply, until }: AuditOutcome): Promise<void> {
    await this.database.query('record audit', recordSql, [randomUUID(), until, JSON.stringify(reply)]);
  }

  async fail(id: string, problem: string): Promise<void> {
    await this.database.query('fail audit', failSql, [id, problem]);
  }

  /** Does nothing to one that has ended; the log says that an operator has asked for it. */
  async cancel(id: string, by: ChangeContext = {}): Promise<void> {
    await this.database.run(async ({ query, record }) => {
      await query('cancel audit', cancelSql, [id]);
      await record({ action: 'audit.cancelled', subject: id });
    }, by);
  }

  find(id: string): Promise<AuditView | null> {
    return this.findWhere('id = $1', [id]);
  }

  findRunningFull(): Promise<AuditView | null> {
    return this.findWhere("kind = 'full' AND state = 'running'", []);
  }

  async list(): Promise<AuditSummary[]> {
    const sql = `SELECT ${columns} FROM audits ORDER BY started_at DESC LIMIT $1`;
    const rows = await this.database.query<Stored<AuditSummary>>('list audits', sql, [listedMax]);
    return rows.map(viewOf);
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

  /** The most discrepancies that an audit of the last day has found. */
  discrepancies(): Promise<number | undefined> {
    return this.value(lastDaySql);
  }

  /** The end of the last hourly audit, in seconds since 1970. */
  lastSuccess(): Promise<number | undefined> {
    return this.value(lastDoneSql);
  }

  private async findWhere(condition: string, parameters: unknown[]): Promise<AuditView | null> {
    const sql = `SELECT ${columns}, result FROM audits WHERE ${condition}`;
    const [row] = await this.database.query<Stored<AuditView>>('find audit', sql, parameters);
    return row ? viewOf(row) : null;
  }

  private async saveCheckpoints({ query }: Queryable, before: LotCredits, after: LotCredits): Promise<void> {
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

  private async value(sql: string): Promise<number | undefined> {
    const [row] = await this.database.query<{ value: number | null }>('measure audits', sql);
    return row?.value ?? undefined;
  }
}

async function claimWith(query: Query, sql: string, parameters: unknown[]): Promise<string | null> {
  await query('end dead audits', endDeadSql);
  const id = randomUUID();
  const rows = await query('claim audit', sql, [id, ...parameters]);
  return rows.length > 0 ? id : null;
}

function viewOf<View extends AuditSummary>(row: Stored<View>) {
  return { ...row, started_at: row.started_at.toISOString(), ended_at: row.ended_at?.toISOString() ?? null };
}
