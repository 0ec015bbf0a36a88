import { type AuditReply, type Discrepancy } from '@app/contracts';
import { gauge } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { reportsPool } from '../database/data-source.js';
import { onSnapshot } from '../database/snapshot.js';
import { type Query } from '../database/query.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../ledger/ledger-options.js';
import { chargeOverdue, timelessChecks } from './checks.js';

const discrepanciesMax = 1_000;
/** Below the 120 s that the caller waits. */
const timeoutMs = 100_000;
const sweepPeriodsOfGrace = 2;

interface Totals {
  readonly now: Date;
  readonly accounts: number;
  readonly lots: number;
  readonly entries: number;
}

/**
 * Recomputes the whole ledger from its entries, in the database, on one snapshot that later writes do not touch, and names
 * what differs. It only reads and blocks no writer.
 */
@Injectable()
export class AuditService {
  private lastCount: number | undefined;
  private readonly stopping = new AbortController();
  private underWay: Promise<AuditReply> | undefined;

  constructor(
    @InjectDataSource(reportsPool) private readonly reports: DataSource,
    @Inject(LEDGER_OPTIONS) private readonly options: LedgerOptions,
  ) {
    gauge('audit_discrepancies', 'What the last audit by this replica found.', () => this.lastCount);
  }

  /**
   * Names at most 1,000 discrepancies. One audit at a time: a request that comes while one is running gets
   * the result of that one.
   */
  audit(): Promise<AuditReply> {
    this.underWay ??= this.run().finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  /** Gives up the audit that is under way: it may take longer than a replica has for stopping. */
  stop(): void {
    this.stopping.abort();
  }

  private run(): Promise<AuditReply> {
    return onSnapshot(this.reports, { timeoutMs, giveUp: this.stopping.signal }, async (query) => {
      await query(`SET LOCAL work_mem = '64MB'`);
      const { now, ...totals } = await countRows(query);
      const discrepancies = await this.findDiscrepancies(query, now);
      this.lastCount = discrepancies.length;
      return { ok: discrepancies.length === 0, ...totals, discrepancies };
    });
  }

  /** A pending charge is a discrepancy only when the sweep should have found it twice. */
  private async findDiscrepancies(query: Query, now: Date): Promise<Discrepancy[]> {
    const sweptBefore = new Date(now.getTime() - sweepPeriodsOfGrace * this.options.sweepPeriodMs);
    const checks = [
      ...timelessChecks.map((check) => ({ ...check, parameters: [] })),
      { ...chargeOverdue, parameters: [sweptBefore] },
    ];
    const found: Discrepancy[] = [];
    for (const { kind, sql, parameters } of checks) {
      const wanted = discrepanciesMax - found.length;
      if (wanted === 0) break;
      const rows = await query<Omit<Discrepancy, 'kind'>>(sql, [wanted, ...parameters]);
      found.push(...rows.map((row) => ({ kind, ...row })));
    }
    return found;
  }
}

async function countRows(query: Query): Promise<Totals> {
  const [totals] = await query<Totals>(`
    SELECT ledger_now() AS now,
      (SELECT count(*) FROM accounts)::float8 AS accounts,
      (SELECT count(*) FROM lots)::float8 AS lots,
      (SELECT count(*) FROM ledger_entries)::float8 AS entries`);
  if (!totals) throw new Error('the totals gave no row');
  return totals;
}
