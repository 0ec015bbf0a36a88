import { type AuditReply, type Discrepancy } from '@app/contracts';
import { gauge } from '@app/platform';
import { InjectTransactionRunner, type Queryable, TransactionRunner } from '@app/platform/database';
import { RedisServer } from '@app/transport';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';
import { LEDGER_OPTIONS, type LedgerOptions } from '../../ledger/rules/ledger-options.js';
import { AuditRepository } from './audit.repository.js';
import { chargeOverdue, timelessChecks } from './checks.js';

const discrepanciesMax = 1_000;
/** Below the 120 s that the caller waits. */
const timeoutMs = 100_000;
const sweepPeriodsOfGrace = 2;

/**
 * Recomputes the whole ledger from its entries, in the database and on one snapshot, and reports every difference. It
 * only reads and blocks no writer.
 */
@Injectable()
export class AuditService implements OnModuleInit {
  private lastCount: number | undefined;
  private readonly stopping = new AbortController();
  private underWay: Promise<AuditReply> | undefined;

  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly ledger: AuditRepository,
    @Inject(LEDGER_OPTIONS) private readonly options: LedgerOptions,
    private readonly server: RedisServer,
  ) {
    gauge(
      'audit_discrepancies',
      'Discrepancies found by the last audit of this replica.',
      () => this.lastCount,
    );
  }

  /** A running audit ends as soon as shutdown begins; the messages already taken are finished after that. */
  onModuleInit(): void {
    this.server.on('closing', () => this.stop());
  }

  /**
   * Returns at most 1,000 discrepancies. One audit at a time: a request during an audit gets the result of that audit.
   */
  audit(): Promise<AuditReply> {
    this.underWay ??= this.run().finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  /** Cancels the running audit, which may take longer than a shutdown. */
  stop(): void {
    this.stopping.abort();
  }

  private run(): Promise<AuditReply> {
    const read = async (snapshot: Queryable): Promise<AuditReply> => {
      const { now, ...totals } = await this.ledger.totals(snapshot);
      const discrepancies = await this.findDiscrepancies(snapshot, now);
      this.lastCount = discrepancies.length;
      return { ok: discrepancies.length === 0, ...totals, discrepancies };
    };
    return this.reports.snapshot(read, { timeoutMs, signal: this.stopping.signal });
  }

  /** A pending charge is a discrepancy only once two sweeps should have found it. */
  private async findDiscrepancies(snapshot: Queryable, now: Date): Promise<Discrepancy[]> {
    const sweptBefore = new Date(now.getTime() - sweepPeriodsOfGrace * this.options.sweepPeriodMs);
    const checks = [
      ...timelessChecks.map((check) => ({ ...check, parameters: [] })),
      { ...chargeOverdue, parameters: [sweptBefore] },
    ];
    const found: Discrepancy[] = [];
    for (const { parameters, ...check } of checks) {
      const wanted = discrepanciesMax - found.length;
      if (wanted === 0) break;
      found.push(...(await this.ledger.breaches(snapshot, check, [wanted, ...parameters])));
    }
    return found;
  }
}
