import { gauge } from '#platform';
import { InjectTransactionRunner, type StatementName, TransactionRunner } from '#platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';
import { StripePayments } from '../provider/stripe-payments.js';
import { toReviewSql } from './order-concerns.js';

/** Served by the partial index of the same name. */
const waitingEvents = `payment_events WHERE state = 'waiting'`;

/** Orders and events that are open, read through partial indexes; the same on every replica. */
@Injectable()
export class OrderGauges implements OnModuleInit {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly stripe: StripePayments,
  ) {}

  onModuleInit(): void {
    gauge('orders_to_review', 'Orders for which something else was paid than was ordered, unresolved.', () =>
      this.read('count orders to review', `count(*)::float8 AS value FROM orders WHERE ${toReviewSql}`),
    );
    gauge('payment_events_waiting', 'Events of Stripe that are not worked on yet.', () =>
      this.ofEvents('count payment events', 'count(*)'),
    );
    gauge('payment_event_oldest_age_seconds', 'Age of the oldest event of Stripe that waits.', () =>
      this.ofEvents(
        'age of payment events',
        'coalesce(extract(epoch FROM ledger_now() - min(received_at)), 0)',
      ),
    );
  }

  /** No metric where nothing is sold. */
  private async ofEvents(name: StatementName, value: string): Promise<number | undefined> {
    return this.stripe.isOpen
      ? this.read(name, `(${value})::float8 AS value FROM ${waitingEvents}`)
      : undefined;
  }

  private async read(name: StatementName, select: string): Promise<number | undefined> {
    const [row] = await this.reports.query<{ value: number }>(name, `SELECT ${select}`);
    return row?.value;
  }
}
