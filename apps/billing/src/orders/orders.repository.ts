import { type Page, type PageRequest, type ServiceError } from '#contracts';
import { type Managed, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Repository } from 'typeorm';
import { type LockedAccounts, readClock } from '../database/account-transactions.js';
import { newestPage } from '../reports/common/newest-page.js';
import { reportsPool } from '../database/data-source.js';
import { notFound } from '../errors.js';
import { Order } from './order.entity.js';
import { type EventSubject } from './provider/read-event.js';

export type NewOrder = Pick<
  Order,
  'id' | 'accountId' | 'personId' | 'pack' | 'credits' | 'priceCents' | 'state'
>;

/** Everything that may change: not what was ordered. */
export type OrderChanges = Partial<Omit<Order, keyof NewOrder | 'orderedAt'>> & Partial<Pick<Order, 'state'>>;

/** Served by `orders_pk`. */
const beginRefreshSql = 'UPDATE orders SET refreshes = refreshes + 1 WHERE id = $1 RETURNING refreshes';

/** Served by `orders_pk`. Over all replicas, one view in ten seconds gets the row. */
const beginViewSql = `
  UPDATE orders SET viewed_at = (SELECT ledger_now())
  WHERE id = $1 AND checkout_session_id IS NOT NULL
    AND (viewed_at IS NULL OR viewed_at <= (SELECT ledger_now()) - interval '10 seconds')
  RETURNING id`;

/** Claims orders for this replica: they are due again after a period, also when it dies. */
const claimSql = (which: string) => `
  UPDATE orders SET checked_at = (SELECT ledger_now())
  WHERE id IN (
    SELECT id FROM orders
    WHERE ${which} AND checked_at <= (SELECT ledger_now()) - $1 * interval '1 millisecond'
    ORDER BY checked_at LIMIT $2
    FOR NO KEY UPDATE SKIP LOCKED
  )
  RETURNING id`;

/** Why Stripe is asked about an order, and which they are; each has a partial index. */
const claims = {
  /** Stripe says within two weeks how an order ended; an older one is checked once a day. */
  unpaid: claimSql(`
  state IN ('open', 'processing')
  AND (checked_at <= (SELECT ledger_now()) - interval '1 day' OR ordered_at > (SELECT ledger_now()) - interval '35 days')`),
  /** Their refunds or disputes are not known. */
  returns_pending: claimSql('returns_pending'),
  /** An invoice is made seconds after the payment, which takes two weeks at most. */
  invoice_pending: claimSql(`invoice_pending AND ordered_at > (SELECT ledger_now()) - interval '35 days'`),
} as const;
export type DueOrders = keyof typeof claims;

/** Served by `orders_unpaid`. Longer than an order can still be started. */
const expireAbandonedSql = `
  UPDATE orders SET state = 'expired'
  WHERE state = 'open' AND checkout_session_id IS NULL
    AND ordered_at <= (SELECT ledger_now()) - interval '24 hours'`;

/** Reads the table: only when events can't tell. Disputes can be opened for 120 days, and take up to 60 more. */
const markReturnsPendingSql = `
  UPDATE orders SET returns_pending = true, checked_at = 'epoch'
  WHERE state IN ('granted', 'in_review', 'refunded') AND payment_intent_id IS NOT NULL
    AND ordered_at > (SELECT ledger_now()) - interval '180 days'`;

/** Orders. Hand-written where the database's clock decides. */
@Injectable()
export class OrdersRepository {
  constructor(
    private readonly transactions: TransactionRunner,
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    @InjectRepository(Order, reportsPool) private readonly reports: Repository<Order>,
  ) {}

  /**
   * A page of orders, newest first, on `where` in SQL. Served by `orders_page`, `orders_of_account`, and the partial indexes of the condition. Throws
   * `invalid_request` for a cursor of another list.
   */
  page(accountId: string | undefined, request: PageRequest, where = 'true'): Promise<Page<Order>> {
    const query = this.reports.createQueryBuilder('o').where(`(${where})`);
    if (accountId !== undefined) query.andWhere('o.accountId = :accountId', { accountId });
    return newestPage(query, 'orderedAt', request);
  }

  find(id: string, { manager }: Managed = this.orders): Promise<Order | null> {
    return manager.findOneBy(Order, { id });
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<Order> {
    const order = await this.find(id);
    if (!order) throw noSuchOrder();
    return order;
  }

  required(id: string, { manager }: Managed = this.orders): Promise<Order> {
    return manager.findOneByOrFail(Order, { id });
  }

  findBySubject({ kind, id }: EventSubject): Promise<Order | null> {
    return this.orders.findOneBy(kind === 'session' ? { checkoutSessionId: id } : { paymentIntentId: id });
  }

  /** Orders of the account since then; served by `orders_of_account`. */
  countSince({ manager }: Managed, accountId: string, since: Date): Promise<number> {
    return manager.countBy(Order, { accountId, orderedAt: MoreThan(since) });
  }

  async insert(
    { manager, now }: LockedAccounts,
    order: NewOrder & Partial<Pick<Order, 'orderedAt' | 'checkoutSessionId'>>,
  ): Promise<Order> {
    await manager.insert(Order, { orderedAt: now, ...order, checkedAt: now });
    return this.required(order.id, { manager });
  }

  /** Returns the order as it is then. */
  async change({ manager }: Managed, id: string, changes: OrderChanges): Promise<Order> {
    await manager.update(Order, { id }, changes);
    return this.required(id, { manager });
  }

  /** Whether a view of the order may ask Stripe now: at most every ten seconds. */
  async beginView(id: string): Promise<boolean> {
    return (await this.transactions.query('begin view of order', beginViewSql, [id])).length > 0;
  }

  /** The instant by the ledger's clock. */
  now(): Promise<Date> {
    return readClock(this.transactions);
  }

  /**
   * Records once that an attempt to get a session has failed for good, on however many replicas; returns the number of the next one.
   */
  async endAttempt(id: string, attempt: number): Promise<number> {
    await this.orders.update({ id, checkoutAttempts: attempt }, { checkoutAttempts: attempt + 1 });
    return (await this.required(id)).checkoutAttempts;
  }

  /** The number of a new request to Stripe about the order. */
  async beginRefresh(id: string): Promise<number> {
    const { query } = this.transactions;
    const [row] = await query<{ refreshes: number }>('begin refresh', beginRefreshSql, [id]);
    if (!row) throw new Error('the order is missing');
    return row.refreshes;
  }

  /** Stripe has answered this attempt at a refund: the next one is another request. Of several replies, one ends it. */
  async endRefundAttempt({ manager }: Managed, id: string, attempt: number): Promise<boolean> {
    const ongoing = { id, refundAttempts: attempt - 1 };
    return (await manager.update(Order, ongoing, { refundAttempts: attempt })).affected === 1;
  }

  /** Claims orders to ask Stripe about that were not checked for `periodMs`. */
  async claim(due: DueOrders, periodMs: number, max: number): Promise<string[]> {
    const { query } = this.transactions;
    const rows = await query<{ id: string }>(`claim orders: ${due}` as const, claims[due], [periodMs, max]);
    return rows.map(({ id }) => id);
  }

  /** Ends orders for which Stripe never gave a session: they cannot be paid. */
  async expireAbandoned(): Promise<void> {
    await this.transactions.query('expire abandoned orders', expireAbandonedSql);
  }

  /** Has Stripe asked about the refunds and disputes of all paid orders of half a year. */
  async markReturnsPending(): Promise<void> {
    await this.transactions.query('mark returns pending', markReturnsPendingSql);
  }

  /** Orders of the locked accounts with credits that were not recovered, oldest first. */
  notRecovered({ manager, accountIds }: LockedAccounts): Promise<Order[]> {
    return manager.find(Order, {
      where: { accountId: In([...accountIds]), creditsNotRecovered: MoreThan(0) },
      order: { grantedAt: 'ASC' },
    });
  }
}

export function noSuchOrder(): ServiceError {
  return notFound('There is no order with this id.');
}
