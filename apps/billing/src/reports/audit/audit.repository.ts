import { type AuditReply, type Discrepancy } from '#contracts';
import { onlyRow, type Queryable, type StatementName } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type Lot } from '../../ledger/lots/lot.entity.js';
import { inWindow, type Rule, type RuleOfSubjects } from './rules-of-entries.js';

/** A period of time, which excludes its start and includes its end. */
export interface Window {
  readonly from: Date | '-infinity';
  readonly to: Date | 'infinity';
}

/** The instants between which an audit reads months. */
export interface Span {
  readonly now: Date;
  /** No entry will be written before it: every charge until then has ended. */
  readonly cut: Date;
  /** When the oldest account was created; `null`: there is none. */
  readonly first: Date | null;
  /** Everything until this instant was audited before, or is archived; `null`: nothing is. */
  readonly since: Date | null;
}

/** The entries of a lot in a window, added up. */
export interface LotSum {
  readonly lot_id: string;
  readonly entries: number;
  readonly credits: number;
  /** The least that they added up to, in their order. */
  readonly lowest: number;
  /** Whether all entries are in the database; otherwise the first ones are archived. */
  readonly is_whole: boolean;
}

/** A lot, and what all of its entries say about it. */
export interface LotHistory {
  readonly account_id: string;
  readonly lot_id: string;
  readonly remaining: number;
  readonly credits: number;
  readonly credits_until: number;
  readonly lowest: number;
}

/** Credits of lots by their entries; lots without credits are left out. */
export type LotCredits = Map<string, number>;

/** The end of the last audit, and the credits of lots at that instant. */
export interface Checkpoint {
  readonly until: Date;
  readonly credits: LotCredits;
}

type LotRemaining = Pick<Lot, 'id' | 'remaining'>;
type Totals = Pick<AuditReply, 'accounts' | 'lots'>;

/** The most discrepancies that an audit names. */
export const discrepanciesMax = 1_000;
const pageSize = 10_000;

/** No transaction takes longer than some seconds, and the clock is read in it: a minute later all of its rows can be seen. */
const spanSql = `
  SELECT ledger_now() AS now,
    date_trunc('milliseconds', least(
      ledger_now() - interval '1 minute',
      (SELECT min(created_at) FROM charges WHERE state = 'pending') - interval '1 millisecond'
    )) AS cut,
    (SELECT min(created_at) FROM accounts) AS first,
    greatest($1::timestamptz,
      (SELECT online - interval '1 millisecond' FROM ledger_online_since() AS online WHERE isfinite(online))) AS since`;

/** A lot is older than its entries: those of one that was made before this instant may be archived. */
const isWhole = 'lots.created_at >= (SELECT ledger_online_since())';

/** Sums of the entries of each lot, in the order of their ids, which ascend within an account. */
const lotSumsSql = `
  SELECT sums.*, coalesce(${isWhole}, true) AS is_whole
  FROM (
    SELECT lot_id, count(*)::float8 AS entries, sum(credits)::float8 AS credits, min(balance)::float8 AS lowest
    FROM (
      SELECT lot_id, credits, sum(credits) OVER (PARTITION BY lot_id ORDER BY id) AS balance
      FROM ledger_entries
      WHERE ${inWindow}
    ) AS history
    GROUP BY lot_id
  ) AS sums
  LEFT JOIN lots ON lots.id = sums.lot_id`;

/** By the entries of its account, which an index finds. */
const lotHistoriesSql = `
  SELECT lots.account_id, lots.id AS lot_id, lots.remaining,
    coalesce(sum(history.credits), 0)::float8 AS credits,
    coalesce(sum(history.credits) FILTER (WHERE history.created_at <= $2), 0)::float8 AS credits_until,
    coalesce(min(balance), 0)::float8 AS lowest
  FROM lots
  LEFT JOIN LATERAL (
    SELECT credits, created_at, sum(credits) OVER (ORDER BY id) AS balance
    FROM ledger_entries
    WHERE account_id = lots.account_id AND lot_id = lots.id AND created_at >= (SELECT ledger_online_since())
  ) AS history ON true
  WHERE lots.id = ANY($1) AND ${isWhole}
  GROUP BY lots.id`;

/**
 * The locks come before the snapshot: the archive job waits for them before it drops a month that the snapshot takes for online.
 */
const prepareSql = `
  LOCK TABLE charges, ledger_entries IN ACCESS SHARE MODE;
  SET LOCAL work_mem = '64MB';
  SET LOCAL cursor_tuple_fraction = 1`;

const allLotsSql = `SELECT id, remaining FROM lots WHERE ${isWhole}`;
const openLotsSql = `
  SELECT id, remaining FROM lots WHERE is_open AND ${isWhole}
  UNION
  SELECT id, remaining FROM lots WHERE id = ANY($1) AND ${isWhole}`;

const totalsSql = `
  SELECT (SELECT count(*) FROM accounts)::float8 AS accounts, (SELECT count(*) FROM lots)::float8 AS lots`;

/** The audit's queries. Hand-written: aggregates over windows of the largest tables, read page by page. */
@Injectable()
export class AuditRepository {
  private cursors = 0;

  async span({ query }: Queryable, auditedUntil: Date | null): Promise<Span> {
    return onlyRow(await query<Span>('begin audit', spanSql, [auditedUntil]));
  }

  /** For the statements of one transaction, before its snapshot: they read many rows, to the end. */
  async prepare({ query }: Queryable): Promise<void> {
    await query('prepare audit', prepareSql);
  }

  lotSums(snapshot: Queryable, { from, to }: Window): AsyncGenerator<LotSum[]> {
    return this.pages(snapshot, 'lot sums', lotSumsSql, [from, to]);
  }

  lotHistories({ query }: Queryable, lotIds: readonly string[], until: Date): Promise<LotHistory[]> {
    return query('audit lot histories', lotHistoriesSql, [lotIds, until]);
  }

  /** All lots, or the open and the named ones. */
  lots(snapshot: Queryable, named: 'all' | readonly string[]): AsyncGenerator<LotRemaining[]> {
    return named === 'all'
      ? this.pages(snapshot, 'all lots', allLotsSql, [])
      : this.pages(snapshot, 'open lots', openLotsSql, [named]);
  }

  async totals({ query }: Queryable): Promise<Totals> {
    return onlyRow(await query<Totals>('count audited rows', totalsSql));
  }

  /** The breaches of a rule, as many as are named. */
  async breaches(
    { query }: Queryable,
    { kind, sql }: Rule,
    parameters: unknown[] = [],
  ): Promise<Discrepancy[]> {
    const limited = `${sql} LIMIT ${discrepanciesMax}`;
    const rows = await query<Omit<Discrepancy, 'kind'>>(`audit ${kind}` as const, limited, parameters);
    return rows.map((row) => ({ kind, ...row }));
  }

  /** Finds breaches of a rule whose suspects are checked again, with all of their rows. */
  async *breachesOfSubjects(
    snapshot: Queryable,
    { kind, suspects, breaches }: RuleOfSubjects,
    { from, to }: Window,
  ): AsyncGenerator<Discrepancy[]> {
    const rule = { kind, sql: breaches };
    for await (const page of this.pages<{ subject: string }>(
      snapshot,
      `suspects of ${kind}` as const,
      suspects,
      [from, to],
    )) {
      const ids = [...new Set(page.map(({ subject }) => subject))];
      yield await this.breaches(snapshot, rule, [ids]);
    }
  }

  /** Reads a result through a cursor, so that only one page of it is in memory. */
  private async *pages<Row>(
    { query }: Queryable,
    what: StatementName,
    sql: string,
    parameters: unknown[],
  ): AsyncGenerator<Row[]> {
    const cursor = `audit_${++this.cursors}`;
    await query(
      `open cursor of ${what}` as const,
      `DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`,
      parameters,
    );
    let rows: Row[];
    do {
      rows = await query<Row>(`fetch ${what}` as const, `FETCH ${pageSize} FROM ${cursor}`);
      if (rows.length > 0) yield rows;
    } while (rows.length === pageSize);
    await query('close cursor', `CLOSE ${cursor}`);
  }
}
