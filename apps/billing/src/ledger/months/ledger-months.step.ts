import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type SweepStep } from '../../schedule/sweep.service.js';

/**
 * Adds the partitions of the next months to charges and entries, one month at a time, to each whether or not the other fails. It gives
 * up soon where it would have to wait for a lock, because others would wait behind it; the next sweep tries again, months before the
 * partition is needed.
 */
@Injectable()
export class LedgerMonthsStep implements SweepStep {
  readonly name = 'ledger months';

  constructor(private readonly database: TransactionRunner) {}

  async run(): Promise<number> {
    const sql = 'SELECT add_ledger_month($1) AS added';
    let added = 0;
    let problem: unknown;
    for (const table of ['ledger_entries', 'charges_ended']) {
      try {
        const [row] = await this.database.query<{ added: number }>('add a ledger month', sql, [table]);
        added += row?.added ?? 0;
      } catch (error) {
        problem = error;
      }
    }
    if (problem instanceof Error) throw problem;
    return added;
  }
}
