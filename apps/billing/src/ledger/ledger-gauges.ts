import { gauge } from '#platform';
import { InjectTransactionRunner, type StatementName, TransactionRunner } from '#platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../database/data-source.js';

/** Hand-written: the catalog of PostgreSQL, which has the bounds of partitions. */
const monthsAheadSql = `
  SELECT (extract(year FROM until) * 12 + extract(month FROM until)
    - extract(year FROM at) * 12 - extract(month FROM at) - 1)::float8 AS value
  FROM (SELECT ledger_now() AT TIME ZONE 'UTC' AS at, least(
    ledger_months_until('charges_ended'), ledger_months_until('ledger_entries')) AT TIME ZONE 'UTC' AS until) AS clock`;

/** Metrics of the pending charges, and of the partitions that are made ahead; the same on every replica. Aggregates by the database's clock. */
@Injectable()
export class LedgerGauges implements OnModuleInit {
  constructor(@InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner) {}

  onModuleInit(): void {
    const pending = (value: string): string =>
      `SELECT (${value})::float8 AS value FROM charges WHERE state = 'pending'`;
    const age = 'coalesce(extract(epoch FROM ledger_now() - min(created_at)), 0)';
    gauge(
      'pending_charges',
      'Charges that are neither posted nor voided yet.',
      this.value('count pending charges', pending('count(*)')),
    );
    gauge(
      'pending_charge_oldest_age_seconds',
      'Age of the oldest pending charge.',
      this.value('age of pending charges', pending(age)),
    );
    gauge(
      'ledger_months_ahead',
      'Months after this one that charges and entries have a partition for.',
      this.value('count months ahead', monthsAheadSql),
    );
    gauge(
      'ledger_rows_without_month',
      'Charges and entries in the default partitions, because there was no month for them; at most a thousand of each are counted.',
      this.value('count rows without a month', 'SELECT ledger_rows_without_month()::float8 AS value'),
    );
  }

  private value(statement: StatementName, sql: string): () => Promise<number | undefined> {
    return async () => {
      const [row] = await this.reports.query<{ value: number }>(statement, sql);
      return row?.value;
    };
  }
}
