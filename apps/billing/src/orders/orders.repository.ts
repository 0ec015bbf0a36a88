import { type Managed, type Queryable, TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Repository } from 'typeorm';
import { type LockedAccounts } from '../database/account-transactions.js';
import { reportsPool } from '../database/data-source.js';
import { readClock } from '../database/read-clock.js';
import { Order } from './order.entity.js';

export type NewOrder = Pick<
  Order,
  'id' | 'accountId' | 'personId' | 'pack' | 'credits' | 'priceCents' | 'state'
>;

/** What a change of an order may touch. */
export type OrderChanges = Partial<
  Pick<
    Order,
    | 'state'
    | 'checkoutSessionId'
    | 'paymentIntentId'
    | 'checkoutExpiresAt'
    | 'checkoutUrl'
    | 'receiptUrl'
    | 'lotId'
    | 'grantedAt'
    | 'returnedCents'
    | 'creditsTakenBack'
    | 'creditsNotRecovered'
    | 'refreshApplied'
    | 'checkedAt'
    | 'isDisputeLost'
    | 'acceptedAt'
    | 'answeredAt'
    | 'subtotalCents'
    | 'discountCents'
    | 'taxCents'
    | 'totalCents'
    | 'returnsPending'
    | 'problem'
    | 'problemAt'
    | 'problemSessions'
    | 'resolution'
    | 'resolvedAt'
  >
>;

/** Served by `orders_pk`. */
const beginRefreshSql = `
  WITH begun AS (UPDATE orders SET refreshes = refreshes + 1 WHERE id = $1 RETURNING refreshes)
  SELECT refreshes FROM begun`;

/** Served by `orders_pk`. The first warning counts. */
const warnSql = `
  WITH warned AS (
    UPDATE orders SET fraud_warning_at = (SELECT ledger_now()) WHERE id = $1 AND fraud_warning_at IS NULL RETURNING id
  )
  SELECT id FROM warned`;

/** Served by `orders_pk`. Of several replies to the same attempt, one ends it. */
const endRefundAttemptSql =
  'UPDATE orders SET refund_attempts = $2 WHERE id = $1 AND refund_attempts = $2 - 1';

/** Served by `orders_pk`. Over all replicas, one view in ten seconds gets the row; the instant is given, as Citus requires. */
const beginViewSql = `
  WITH begun AS (
    UPDATE orders SET viewed_at = $2
    WHERE id = $1 AND state IN ('open', 'processing') AND checkout_session_id IS NOT NULL
      AND (viewed_at IS NULL OR viewed_at <= $2::timestamptz - interval '10 seconds')
    RETURNING id
  )
  SELECT id FROM begun`;

/** Served by `orders_pk`. Of those whose attempt has failed at once, one gets the row. */
const endAttemptSql = `
  WITH ended AS (
    UPDATE orders SET checkout_attempts = checkout_attempts + 1
    WHERE id = $1 AND checkout_attempts = $2
    RETURNING id
  )
  SELECT id FROM ended`;

/**
 * Served by `orders_unpaid`. A claimed order is due again after a period, also when its replica dies. An order is asked about
 * until Stripe says how it ended, which takes two weeks at most; one that is older is no buyer's hurry any more.
 */
const claimSql = `
  WITH claimed AS (
    UPDATE orders SET checked_at = (SELECT ledger_now())
    WHERE id IN (
      SELECT id FROM orders
      WHERE state IN ('open', 'processing')
        AND checked_at <= (SELECT ledger_now()) - $1 * interval '1 millisecond'
        AND (checked_at <= (SELECT ledger_now()) - interval '1 day' OR ordered_at > (SELECT ledger_now()) - interval '35 days')
      ORDER BY checked_at LIMIT $2
      FOR NO KEY UPDATE SKIP LOCKED
    )
    RETURNING id
  )
  SELECT id FROM claimed`;

/** The same for orders whose refunds or disputes could not be read; served by `orders_returns_pending`. */
const claimPendingSql = `
  WITH claimed AS (
    UPDATE orders SET checked_at = (SELECT ledger_now())
    WHERE id IN (
      SELECT id FROM orders
      WHERE returns_pending AND checked_at <= (SELECT ledger_now()) - $1 * interval '1 millisecond'
      ORDER BY checked_at LIMIT $2
      FOR NO KEY UPDATE SKIP LOCKED
    )
    RETURNING id
  )
  SELECT id FROM claimed`;

/** Served by `orders_unpaid`. Longer than an order can still be started. */
const expireAbandonedSql = `
  UPDATE orders SET state = 'expired'
  WHERE state = 'open' AND checkout_session_id IS NULL
    AND ordered_at <= (SELECT ledger_now()) - interval '24 hours'`;

/** Served by `orders_not_recovered`; an older lot has expired. */
const recoverableAccountsSql = `
  SELECT DISTINCT orders.account_id
  FROM orders JOIN lots ON lots.id = orders.lot_id
  WHERE orders.credits_not_recovered > 0
    AND orders.granted_at > (SELECT ledger_now()) - interval '31 days'
    AND lots.remaining > 0 AND lots.expires_at > (SELECT ledger_now())
    AND orders.account_id <> ALL($2::uuid[])
  LIMIT $1`;

/** Orders. Hand-written where the database's clock decides. */
@Injectable()
export class OrdersRepository {
  constructor(
    private readonly transactions: TransactionRunner,
    @InjectRepository(Order, reportsPool) private readonly reports: Repository<Order>,
  ) {}

  /** Newest first, at most `limit` after the position; served by `orders_of_account`. */
  page(accountId: string, limit: number, after: string[] | null): Promise<Order[]> {
    const page = this.reports
      .createQueryBuilder('o')
      .where('o.accountId = :accountId', { accountId })
      .orderBy('o.orderedAt', 'DESC')
      .addOrderBy('o.id', 'DESC')
      .limit(limit);
    if (after) {
      const [orderedAt, id] = after;
      page.andWhere('(o.orderedAt, o.id) < (:orderedAt, :id)', { orderedAt, id });
    }
    return page.getMany();
  }

  find(id: string, { manager }: Managed = this.transactions): Promise<Order | null> {
    return manager.findOneBy(Order, { id });
  }

  async required(id: string, managed: Managed = this.transactions): Promise<Order> {
    const order = await this.find(id, managed);
    if (!order) throw new Error(`order ${id} is missing`);
    return order;
  }

  findOfAccount(accountId: string, id: string): Promise<Order | null> {
    return this.transactions.manager.findOneBy(Order, { id, accountId });
  }

  findBySession(checkoutSessionId: string): Promise<Order | null> {
    return this.transactions.manager.findOneBy(Order, { checkoutSessionId });
  }

  findByPayment(paymentIntentId: string): Promise<Order | null> {
    return this.transactions.manager.findOneBy(Order, { paymentIntentId });
  }

  /** The orders of these payments that money may have gone back of. */
  findPaidByPayments(paymentIntentIds: readonly string[]): Promise<Order[]> {
    return this.transactions.manager.findBy(Order, {
      paymentIntentId: In(paymentIntentIds),
      state: In(['granted', 'in_review', 'refunded']),
    });
  }

  /** Orders of the account since then; served by `orders_of_account`. */
  countSince({ manager }: Managed, accountId: string, since: Date): Promise<number> {
    return manager.countBy(Order, { accountId, orderedAt: MoreThan(since) });
  }

  async insert({ manager, now }: LockedAccounts, order: NewOrder): Promise<Order> {
    await manager.insert(Order, { ...order, orderedAt: now, checkedAt: now });
    return manager.findOneByOrFail(Order, { id: order.id });
  }

  async change({ manager }: Managed, id: string, changes: OrderChanges): Promise<void> {
    await manager.update(Order, { id }, changes);
  }

  /** Whether a view of the order may ask Stripe now: at most every ten seconds, and never about one that has ended. */
  async beginView(id: string): Promise<boolean> {
    const now = await readClock(this.transactions);
    return (await this.transactions.query('begin view of order', beginViewSql, [id, now])).length > 0;
  }

  /** The instant by the ledger's clock. */
  now(): Promise<Date> {
    return readClock(this.transactions);
  }

  /** Notes that an attempt to get a session has failed for good, once; returns the number of the next one. */
  async endAttempt(id: string, attempt: number): Promise<number> {
    await this.transactions.query('end attempt of order', endAttemptSql, [id, attempt]);
    return (await this.required(id)).checkoutAttempts;
  }

  /** The number of a new question to Stripe about the order. */
  async beginRefresh(id: string): Promise<number> {
    const [row] = await this.transactions.query<{ refreshes: number }>('begin refresh', beginRefreshSql, [
      id,
    ]);
    if (!row) throw new Error('the order is missing');
    return row.refreshes;
  }

  /** Notes that a card network warns of its payment; `false` when that was known. */
  async warn(id: string): Promise<boolean> {
    return (await this.transactions.query('warn of order', warnSql, [id])).length > 0;
  }

  /** Stripe has answered this attempt at a refund: the next one is another request. */
  async endRefundAttempt(id: string, attempt: number): Promise<void> {
    await this.transactions.query('end refund attempt', endRefundAttemptSql, [id, attempt]);
  }

  /**
   * Claims unpaid orders about which nothing was heard for `periodMs`, or a day when they are older than 35 days, so that no
   * other replica asks for them.
   */
  async claimUnpaid(periodMs: number, max: number): Promise<string[]> {
    const { query } = this.transactions;
    const rows = await query<{ id: string }>('claim unpaid orders', claimSql, [periodMs, max]);
    return rows.map(({ id }) => id);
  }

  /** Claims orders whose refunds or disputes are not known, about which nothing was heard for `periodMs`. */
  async claimReturnsPending(periodMs: number, max: number): Promise<string[]> {
    const { query } = this.transactions;
    const rows = await query<{ id: string }>('claim pending returns', claimPendingSql, [periodMs, max]);
    return rows.map(({ id }) => id);
  }

  /** Ends orders for which Stripe never gave a session: nobody can pay them. */
  async expireAbandoned(): Promise<void> {
    await this.transactions.query('expire abandoned orders', expireAbandonedSql);
  }

  /** Accounts where credits that were not recovered are back in the lot of their order. */
  async accountsWithRecoverable(max: number, except: string[]): Promise<string[]> {
    const { query } = this.transactions;
    const rows = await query<{ account_id: string }>('select recoverable credits', recoverableAccountsSql, [
      max,
      except,
    ]);
    return rows.map(({ account_id }) => account_id);
  }

  /** Their orders with credits that were not recovered, oldest first. */
  notRecovered({ manager, accountIds }: LockedAccounts): Promise<Order[]> {
    return manager.find(Order, {
      where: { accountId: In([...accountIds]), creditsNotRecovered: MoreThan(0) },
      order: { grantedAt: 'ASC' },
    });
  }

  /** How many adjustments the order has; served by `adjustments_of_order`. */
  async countAdjustments({ query }: Queryable, id: string): Promise<number> {
    const [row] = await query<{ adjustments: number }>(
      'count adjustments of order',
      'SELECT count(*)::integer AS adjustments FROM adjustments WHERE order_id = $1',
      [id],
    );
    return row?.adjustments ?? 0;
  }
}
