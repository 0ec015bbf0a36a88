import {
  isId,
  type ListOrderReviewsRequest,
  type OrderReview,
  type Page,
  ServiceError,
} from '@app/contracts';
import { InjectTransactionRunner, type Queryable, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, isTime } from '../../database/cursor.js';
import { reportsPool } from '../../database/data-source.js';
import { type Order } from '../order.entity.js';
import { OrdersRepository } from '../orders.repository.js';
import { toOrderReview } from './order-review.js';
import { OrderReviewsRepository } from './order-reviews.repository.js';

const cursorParts = [isTime, isId];

/** Orders as operators see them. */
@Injectable()
export class ReviewedOrders {
  constructor(
    private readonly transactions: TransactionRunner,
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly orders: OrdersRepository,
    private readonly reviews: OrderReviewsRepository,
  ) {}

  /** Newest first. */
  async list({
    attention = false,
    account_id,
    limit,
    cursor,
  }: ListOrderReviewsRequest): Promise<Page<OrderReview>> {
    const after = cursor === undefined ? null : decodeCursor(cursor, cursorParts);
    const filter = { accountId: account_id, needsAttention: attention };
    const orders = await this.reviews.page(filter, limit + 1, after);
    const page = orders.slice(0, limit);
    const last = orders.length > limit ? page.at(-1) : undefined;
    return {
      items: await this.shown(this.reports, page),
      next_cursor: last ? encodeCursor([last.orderedAt.toISOString(), last.id]) : null,
    };
  }

  /** As it is stored now. Throws `not_found`. */
  async show(orderId: string): Promise<OrderReview> {
    const order = await this.get(orderId);
    const [review] = await this.shown(this.transactions, [order]);
    if (!review) throw noSuchOrder();
    return review;
  }

  /** Throws `not_found`. */
  async get(orderId: string): Promise<Order> {
    const order = await this.orders.find(orderId);
    if (!order) throw noSuchOrder();
    return order;
  }

  /** One that was deleted meanwhile is left out. */
  private async shown(on: Queryable, orders: readonly Order[]): Promise<OrderReview[]> {
    const contexts = await this.reviews.contexts(
      on,
      orders.map(({ id }) => id),
    );
    const now = await this.orders.now();
    return orders.flatMap((order) => {
      const context = contexts.get(order.id);
      return context ? [toOrderReview(order, context, now)] : [];
    });
  }
}

function noSuchOrder(): ServiceError {
  return new ServiceError('not_found', 'There is no order with this id.');
}
