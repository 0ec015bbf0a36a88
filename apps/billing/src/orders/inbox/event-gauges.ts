import { gauge } from '@app/platform';
import { InjectTransactionRunner, type StatementName, TransactionRunner } from '@app/platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';
import { StripePayments } from '../provider/stripe-payments.js';

/** Metrics of the events that wait, the same on every replica; none where nothing is sold. */
@Injectable()
export class EventGauges implements OnModuleInit {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly stripe: StripePayments,
  ) {}

  onModuleInit(): void {
    gauge('payment_events_waiting', 'Events of Stripe that are not worked on yet.', () =>
      this.ofWaiting('count payment events', 'count(*)'),
    );
    gauge('payment_event_oldest_age_seconds', 'Age of the oldest event of Stripe that waits.', () =>
      this.ofWaiting(
        'age of payment events',
        'coalesce(extract(epoch FROM ledger_now() - min(received_at)), 0)',
      ),
    );
  }

  /** Hand-written: aggregates by the clock of the database, served by `payment_events_waiting`. */
  private async ofWaiting(name: StatementName, value: string): Promise<number | undefined> {
    if (!this.stripe.isOpen) return undefined;
    const sql = `SELECT (${value})::float8 AS value FROM payment_events WHERE state = 'waiting'`;
    const [row] = await this.reports.query<{ value: number }>(name, sql);
    return row?.value;
  }
}
