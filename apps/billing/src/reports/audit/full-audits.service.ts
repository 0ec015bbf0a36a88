import { type AuditPath, type AuditSummary, type AuditView, ServiceError } from '#contracts';
import { CONFIG } from '#platform';
import { type ChangeContext, InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { billingReportsOptions, reportsPool } from '../../database/data-source.js';
import { AuditsRepository } from './audits.repository.js';
import { ClaimedAudits } from './claimed-audits.js';
import { LedgerAudit } from './ledger-audit.js';

interface ReplicaConfig {
  readonly BILLING_REPLICA_URL?: string;
}

/** Full audits, which may take long: one is started, asked about, and cancelled. One runs at a time, over all replicas. */
@Injectable()
export class FullAuditsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(FullAuditsService.name);
  private readonly stopping = new AbortController();
  private underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly audits: AuditsRepository,
    private readonly claimed: ClaimedAudits,
    private readonly ledger: LedgerAudit,
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    @Inject(CONFIG) private readonly config: ReplicaConfig,
  ) {}

  /** The audit in progress ends; its state says why. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.underWay;
  }

  /** Starts one, or returns the one that is running. */
  async start(by: ChangeContext = {}): Promise<AuditView> {
    const id = await this.audits.claimFull(by);
    if (id === null) {
      const running = await this.audits.findRunningFull();
      return running ?? this.start(by);
    }
    this.underWay = this.run(id);
    return this.show({ audit_id: id });
  }

  list(): Promise<AuditSummary[]> {
    return this.audits.list();
  }

  async show({ audit_id }: AuditPath): Promise<AuditView> {
    const audit = await this.audits.find(audit_id);
    if (!audit) {
      throw new ServiceError('not_found', `There is no audit ${audit_id}; they are kept for 90 days.`);
    }
    return audit;
  }

  /** The replica that runs it, this or another, notices within seconds. */
  async cancel({ audit_id }: AuditPath, by: ChangeContext = {}): Promise<AuditView> {
    await this.show({ audit_id });
    await this.audits.cancel(audit_id, by);
    return this.show({ audit_id });
  }

  /** Resolves once this replica runs none. */
  idle(): Promise<void> {
    return this.underWay;
  }

  private async run(id: string): Promise<void> {
    try {
      await this.claimed.run(id, this.stopping.signal, (given) =>
        this.withReader(async (reader) => {
          await this.audits.finishFull(id, await this.ledger.run({ ...given, reader, before: null }));
        }),
      );
    } catch (error) {
      this.logger.error(new Error(`The audit ${id} failed.`, { cause: error }));
    }
  }

  /** The standby, connected for this audit only, so that billing does without it otherwise. */
  private async withReader(read: (reader: TransactionRunner) => Promise<void>): Promise<void> {
    const { BILLING_REPLICA_URL: url } = this.config;
    if (url === undefined || url === '') return read(this.reports);
    const replica = await new DataSource(billingReportsOptions({ url })).initialize();
    try {
      await read(new TransactionRunner(replica));
    } finally {
      await replica.destroy();
    }
  }
}
