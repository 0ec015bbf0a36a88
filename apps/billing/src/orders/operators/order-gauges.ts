import { gauge } from '@app/platform';
import { InjectTransactionRunner, type StatementName, TransactionRunner } from '@app/platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';
import { toReviewSql, warnedSql } from './order-concerns.js';

/** What waits for an operator, each order once, read through partial indexes; the same on every replica. */
@Injectable()
export class OrderGauges implements OnModuleInit {
  constructor(@InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner) {}

  onModuleInit(): void {
    gauge('orders_to_review', 'Orders for which something else was paid than was ordered, unresolved.', () =>
      this.count('count orders to review', toReviewSql),
    );
    gauge(
      'orders_with_fraud_warning',
      'Orders of whose payment a card network warns, neither refunded nor accepted.',
      () => this.count('count orders warned of', warnedSql),
    );
  }

  private async count(name: StatementName, where: string): Promise<number | undefined> {
    const sql = `SELECT count(*)::float8 AS value FROM orders WHERE ${where}`;
    const [row] = await this.reports.query<{ value: number }>(name, sql);
    return row?.value;
  }
}
