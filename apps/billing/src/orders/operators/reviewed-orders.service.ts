import { type ListOrderReviewsRequest, type OrderReview, type Page, ServiceError } from '#contracts';
import { gauge } from '#platform';
import {
  InjectTransactionRunner,
  type Queryable,
  type StatementName,
  TransactionRunner,
} from '#platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reportsPool } from '../../database/data-source.js';
import { type Order } from '../order.entity.js';
import { toOrderView } from '../order-view.js';
import { OrdersRepository } from '../orders.repository.js';
import { StripePayments } from '../provider/stripe-payments.js';
import { actionsOf, concernsOf, concernsSql, toReviewSql } from './order-concerns.js';

/** What belongs to an order besides its row. */
interface OrderContext {
  readonly id: string;
  readonly account_name: string;
  readonly account_email: string;
  /** `null`: the person is gone. */
  readonly person_email: string | null;
  /** `null`: it has no lot. */
  readonly credits_left: number | null;
}

/**
 * Served by primary keys. Credits of a charge that was not settled in time count as left once the sweep has voided it; an expired
 * lot has none.
 */
const contextsSql = `
  SELECT orders.id, accounts.name AS account_name, accounts.email AS account_email, people.email_folded AS person_email,
    CASE WHEN lots.expires_at > clock.now THEN lots.remaining WHEN lots.id IS NOT NULL THEN 0 END AS credits_left
  FROM orders
  CROSS JOIN (SELECT ledger_now() AS now) AS clock
  JOIN accounts ON accounts.id = orders.account_id
  LEFT JOIN people ON people.id = orders.person_id
  LEFT JOIN lots ON lots.id = orders.lot_id
  WHERE orders.id = ANY($1::uuid[])`;

/** Served by the partial index of the same name. */
const waitingEvents = `payment_events WHERE state = 'waiting'`;

/** Orders as operators see them, with gauges of what is open: read through partial indexes, the same on every replica. */
@Injectable()
export class ReviewedOrdersService implements OnModuleInit {
  constructor(
    private readonly transactions: TransactionRunner,
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly orders: OrdersRepository,
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

  /** Newest first; with `attention` only orders that an operator has to look at. */
  async list({
    attention = false,
    account_id: accountId,
    limit,
    cursor,
  }: ListOrderReviewsRequest): Promise<Page<OrderReview>> {
    const filter = { accountId, where: attention ? concernsSql : undefined };
    const { items, next_cursor } = await this.orders.page(filter, limit, cursor);
    return { items: await this.toReviews(this.reports, items), next_cursor };
  }

  /** As it is stored now. Throws `not_found`. */
  async show(orderId: string): Promise<OrderReview> {
    const [review] = await this.toReviews(this.transactions, [await this.get(orderId)]);
    if (!review) throw noSuchOrder();
    return review;
  }

  /** Throws `not_found`. */
  async get(orderId: string): Promise<Order> {
    const order = await this.orders.find(orderId);
    if (!order) throw noSuchOrder();
    return order;
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

  /** An order that was deleted meanwhile is left out. */
  private async toReviews({ query }: Queryable, orders: readonly Order[]): Promise<OrderReview[]> {
    if (orders.length === 0) return [];
    const ids = orders.map(({ id }) => id);
    const rows = await query<OrderContext>('select contexts of orders', contextsSql, [ids]);
    const contexts = new Map(rows.map((row) => [row.id, row]));
    const now = await this.orders.now();
    return orders.flatMap((order) => {
      const context = contexts.get(order.id);
      return context ? [toReview(order, context, now)] : [];
    });
  }
}

function toReview(order: Order, context: OrderContext, now: Date): OrderReview {
  const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
  return {
    ...toOrderView(order, now),
    account: { id: order.accountId, name: context.account_name, email: context.account_email },
    person: { id: order.personId, email: context.person_email },
    checkout_session_id: order.checkoutSessionId,
    payment_intent_id: order.paymentIntentId,
    answered_at: iso(order.answeredAt),
    returns_pending: order.returnsPending,
    problem: order.problem,
    problem_at: iso(order.problemAt),
    resolution: order.resolution,
    resolved_at: iso(order.resolvedAt),
    is_dispute_lost: order.isDisputeLost,
    accepted_at: iso(order.acceptedAt),
    credits_left: context.credits_left,
    concerns: concernsOf(order),
    actions: actionsOf(order),
  };
}

function noSuchOrder(): ServiceError {
  return new ServiceError('not_found', 'There is no order with this id.');
}
