import { gauge } from '#platform';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';

/** Hand-written: the catalog of PostgreSQL, which has the bounds of partitions. */
const monthsAheadSql = `
  SELECT (extract(year FROM until) * 12 + extract(month FROM until)
    - extract(year FROM at) * 12 - extract(month FROM at) - 1)::float8 AS months
  FROM (SELECT ledger_now() AT TIME ZONE 'UTC' AS at, least(
    ledger_months_until('charges_ended'), ledger_months_until('ledger_entries')) AT TIME ZONE 'UTC' AS until) AS clock`;

/** Metrics of the partitions that are made ahead, and of rows for which there was none; the same on every replica. */
@Injectable()
export class MonthsGauge implements OnModuleInit {
  constructor(@InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner) {}

  onModuleInit(): void {
    gauge(
      'ledger_months_ahead',
      'Months after this one that charges and entries have a partition for.',
      async () => {
        const [row] = await this.reports.query<{ months: number }>('count months ahead', monthsAheadSql);
        return row?.months;
      },
    );
    gauge(
      'ledger_rows_without_month',
      'Charges and entries in the default partitions, because there was no month for them; at most a thousand of each are counted.',
      async () => {
        const sql = 'SELECT ledger_rows_without_month()::float8 AS rows';
        const [row] = await this.reports.query<{ rows: number }>('count rows without a month', sql);
        return row?.rows;
      },
    );
  }
}
