import { type Discrepancy } from '#contracts';
import { gauge, LOGGER, type Logger as PlatformLogger, PeriodicTask } from '#platform';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';
import { AuditsRepository } from './audits.repository.js';
import { ClaimedAudits } from './claimed-audits.js';
import { LedgerAudit } from './ledger-audit.js';

const askEveryMs = 60_000;
const loggedMax = 20;

/**
 * Audits every hour what is new: one replica, whichever asks first when it is due. The first one reads everything. What is found is
 * logged, and counted in a metric for a day.
 */
@Injectable()
export class HourlyAudit implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HourlyAudit.name);
  private readonly task: PeriodicTask;

  constructor(
    private readonly audits: AuditsRepository,
    private readonly claimed: ClaimedAudits,
    private readonly ledger: LedgerAudit,
    @InjectTransactionRunner(reportsPool) private readonly reader: TransactionRunner,
    @Inject(LOGGER) logger: PlatformLogger,
  ) {
    this.task = new PeriodicTask({
      run: (signal) => this.auditIfDue(signal),
      intervalMs: askEveryMs,
      jitter: 0.2,
      problem: 'The hourly audit failed.',
      logger,
    });
    gauge(
      'audit_discrepancies',
      'The most discrepancies that one audit of the last day has found; the same on every replica.',
      () => audits.discrepancies(),
    );
    gauge(
      'audit_last_success_timestamp_seconds',
      'End of the last hourly audit, whatever it found; the same on every replica.',
      () => audits.lastSuccess(),
    );
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** Does nothing unless one is due that no other replica has claimed. */
  async auditIfDue(stopping: AbortSignal): Promise<void> {
    const id = await this.audits.claimHourly();
    if (id === null) return;
    await this.claimed.run(id, stopping, async (given) => {
      const { until, credits } = await this.audits.checkpoint();
      const before = until && { until, credits };
      const outcome = await this.ledger.run({ ...given, reader: this.reader, before });
      if (await this.audits.finishHourly(id, outcome, credits)) this.report(id, outcome.reply.discrepancies);
    });
  }

  private report(id: string, discrepancies: readonly Discrepancy[]): void {
    if (discrepancies.length === 0) return;
    const first = discrepancies
      .slice(0, loggedMax)
      .map(({ kind, account_id, lot_id, charge_id, expected }) => {
        const ids = { account: account_id, lot: lot_id, charge: charge_id };
        const about = Object.entries(ids).flatMap(([what, named]) =>
          named === null ? [] : [`${what} ${named}`],
        );
        return `${kind}: ${about.join(', ') || expected}`;
      });
    this.logger.error(`Discrepancies found by the audit ${id}: ${discrepancies.length}. ${first.join('; ')}`);
  }
}
