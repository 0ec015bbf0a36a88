import { gauge } from '@app/platform';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { reportsPool } from '../database/data-source.js';
import { autocommitQuery } from '../database/query.js';

/** Shows what is taken and not settled yet, through the partial index of the pending charges; every replica shows the same. */
@Injectable()
export class PendingGauges implements OnModuleInit {
  constructor(@InjectDataSource(reportsPool) private readonly reports: DataSource) {}

  onModuleInit(): void {
    gauge('pending_charges', 'Charges that are neither posted nor voided yet.', () =>
      this.ofPending('count(*)'),
    );
    gauge('pending_charge_oldest_age_seconds', 'Age of the oldest pending charge.', () =>
      this.ofPending('coalesce(extract(epoch FROM ledger_now() - min(created_at)), 0)'),
    );
  }

  private async ofPending(value: string): Promise<number | undefined> {
    const sql = `SELECT (${value})::float8 AS value FROM charges WHERE state = 'pending'`;
    const [row] = await autocommitQuery(this.reports)<{ value: number }>(sql);
    return row?.value;
  }
}
