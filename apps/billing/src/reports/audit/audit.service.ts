import { type AuditReply, ServiceError } from '#contracts';
import { LOGGER, type Logger, messageOf, PeriodicTask } from '#platform';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { RedisServer } from '#transport';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { advisoryLocks } from '../../database/advisory-locks.js';
import { reportsPool } from '../../database/data-source.js';
import { AuditsRepository } from './audits.repository.js';
import { LedgerAudit } from './ledger-audit.js';

/** Below the 120 s that the caller waits. */
const answerWithinMs = 100_000;
/** How long the result of an audit that exceeded its request is kept. */
const keptForMs = 600_000;
const checkEveryMs = 60_000;
const loggedMax = 20;

/**
 * Audits the ledger: everything when it is asked for, and every hour what is new, by one replica. What is found is counted in a metric
 * for a day; what an hourly audit finds is logged too.
 */
@Injectable()
export class AuditService extends PeriodicTask implements OnModuleInit {
  private readonly closing = new AbortController();
  private asked: Promise<AuditReply> | undefined;

  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly ledger: LedgerAudit,
    private readonly audits: AuditsRepository,
    private readonly server: RedisServer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      run: (signal) => this.auditIfDue(signal),
      intervalMs: checkEveryMs,
      jitter: 0.2,
      problem: 'The hourly audit failed.',
      logger,
    });
  }

  /** An audit that was asked for ends as soon as shutdown begins; the messages already taken are finished after that. */
  onModuleInit(): void {
    this.server.on('closing', () => this.closing.abort());
  }

  /**
   * Reads everything. Returns at most 1,000 discrepancies. One at a time: a request during an audit gets the result of that audit, also
   * after it was too late for the request that began it.
   */
  async audit(): Promise<AuditReply> {
    const audit = (this.asked ??= this.auditAll());
    const forget = (): void => {
      if (this.asked === audit) this.asked = undefined;
    };
    const late = delay(answerWithinMs, null, { ref: false });
    const reply = await Promise.race([audit, late]).catch((error: unknown) => {
      forget();
      throw error;
    });
    if (reply !== null) {
      forget();
      return reply;
    }
    void audit.catch(() => null).finally(() => setTimeout(forget, keptForMs).unref());
    throw new ServiceError(
      'deadline_exceeded',
      'The audit takes longer than one request and goes on: ask again for its result.',
    );
  }

  /** Audits the entries since the last audit, if one is due and no other replica runs it. */
  async auditIfDue(stopping: AbortSignal): Promise<void> {
    // The lock belongs to a transaction of the reports, which is idle meanwhile.
    await this.reports.runAlone(
      advisoryLocks.hourlyAudit,
      async () => {
        if (await this.audits.isHourlyDue()) await this.auditNew(stopping);
      },
      { idleTimeoutMs: 0 },
    );
  }

  private async auditAll(): Promise<AuditReply> {
    const outcome = await this.ledger.run({ before: null, signal: this.closing.signal });
    await this.audits.recordFull(outcome);
    return outcome.reply;
  }

  private async auditNew(stopping: AbortSignal): Promise<void> {
    try {
      const { until, credits } = await this.audits.checkpoint();
      const outcome = await this.ledger.run({ before: until && { until, credits }, signal: stopping });
      await this.audits.recordHourly(outcome, credits);
      const { discrepancies } = outcome.reply;
      if (discrepancies.length === 0) return;
      const first = discrepancies.slice(0, loggedMax);
      this.logger.error(
        { discrepancies: discrepancies.length, first },
        'the hourly audit found discrepancies',
      );
    } catch (error) {
      const problem = stopping.aborted ? 'The replica that ran it was stopped.' : messageOf(error);
      await this.audits.recordFailedHourly(problem);
      if (!stopping.aborted) throw error;
    }
  }
}
