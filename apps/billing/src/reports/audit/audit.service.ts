import { type AuditReply, ServiceError } from '#contracts';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { RedisServer } from '#transport';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';
import { AuditsRepository } from './audits.repository.js';
import { LedgerAudit } from './ledger-audit.js';

/** Below the 120 s that the caller waits. */
const timeoutMs = 100_000;

/** The full audit as one answer, for ledgers that it reads in less than two minutes. */
@Injectable()
export class AuditService implements OnModuleInit {
  private readonly stopping = new AbortController();
  private underWay: Promise<AuditReply> | undefined;

  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly ledger: LedgerAudit,
    private readonly audits: AuditsRepository,
    private readonly server: RedisServer,
  ) {}

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

  private async run(): Promise<AuditReply> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([this.stopping.signal, timeout]);
    try {
      const outcome = await this.ledger.run({ reader: this.reports, before: null, signal });
      await this.audits.record(outcome);
      return outcome.reply;
    } catch (error) {
      if (!timeout.aborted) throw error;
      throw new ServiceError(
        'deadline_exceeded',
        'The ledger is too large to be audited within one request: start an audit with POST /ledger/audits.',
      );
    }
  }
}
