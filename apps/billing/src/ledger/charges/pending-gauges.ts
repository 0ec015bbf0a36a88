import { gauge } from '#platform';
import { InjectTransactionRunner, type StatementName, TransactionRunner } from '#platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';

/** Metrics of the pending charges, read from their partition; the same on every replica. */
@Injectable()
export class PendingGauges implements OnModuleInit {
  constructor(@InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner) {}

  onModuleInit(): void {
    gauge('pending_charges', 'Charges that are neither posted nor voided yet.', () =>
      this.ofPending('count pending charges', 'count(*)'),
    );
    gauge('pending_charge_oldest_age_seconds', 'Age of the oldest pending charge.', () =>
      this.ofPending(
        'age of pending charges',
        'coalesce(extract(epoch FROM ledger_now() - min(created_at)), 0)',
      ),
    );
  }

  /** Hand-written: aggregates by the clock of the database. */
  private async ofPending(name: StatementName, value: string): Promise<number | undefined> {
    const sql = `SELECT (${value})::float8 AS value FROM charges WHERE state = 'pending'`;
    const [row] = await this.reports.query<{ value: number }>(name, sql);
    return row?.value;
  }
}
