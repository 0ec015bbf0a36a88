import { gauge } from '@app/platform';
import { InjectTransactionRunner, TransactionRunner } from '@app/platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';

/** Hand-written: the catalog of PostgreSQL, whose names of partitions say their months. */
const monthsAheadSql = `
  SELECT min(newest.month - (extract(year FROM at) * 12 + extract(month FROM at)))::float8 AS months
  FROM (SELECT ledger_now() AT TIME ZONE 'UTC' AS at) AS clock, (
    SELECT max(left(right(relname, 7), 4)::integer * 12 + right(relname, 2)::integer - (relname LIKE '%before%')::integer) AS month
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent IN ('charges_ended'::regclass, 'ledger_entries'::regclass) GROUP BY inhparent
  ) AS newest`;

/** A metric of the partitions that are made ahead; the same on every replica. */
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
  }
}
