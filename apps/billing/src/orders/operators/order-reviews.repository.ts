import { type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { reportsPool } from '../../database/data-source.js';
import { Order } from '../order.entity.js';
import { notRecoveredSql, toReviewSql, warnedSql } from './order-concerns.js';

/** Which orders are listed: of one account, or only those that an operator has to look at. */
export interface ReviewFilter {
  readonly accountId: string | undefined;
  readonly needsAttention: boolean;
}

/** What belongs to an order besides its row. */
export interface OrderContext {
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

/** Orders of all accounts, for operators. */
@Injectable()
export class OrderReviewsRepository {
  constructor(@InjectRepository(Order, reportsPool) private readonly reports: Repository<Order>) {}

  /**
   * Newest first, at most `limit` after the position; served by `orders_page`, `orders_of_account`, and the partial indexes of what
   * needs attention.
   */
  page({ accountId, needsAttention }: ReviewFilter, limit: number, after: string[] | null): Promise<Order[]> {
    const page = this.reports
      .createQueryBuilder('o')
      .orderBy('o.orderedAt', 'DESC')
      .addOrderBy('o.id', 'DESC')
      .limit(limit);
    if (accountId !== undefined) page.andWhere('o.accountId = :accountId', { accountId });
    if (needsAttention) page.andWhere(`((${toReviewSql}) OR (${warnedSql}) OR (${notRecoveredSql}))`);
    if (after) {
      const [orderedAt, id] = after;
      page.andWhere('(o.orderedAt, o.id) < (:orderedAt, :id)', { orderedAt, id });
    }
    return page.getMany();
  }

  /** By the id of the order. */
  async contexts({ query }: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, OrderContext>> {
    if (ids.length === 0) return new Map();
    const rows = await query<OrderContext & { id: string }>('select contexts of orders', contextsSql, [ids]);
    return new Map(rows.map(({ id, ...context }) => [id, context]));
  }
}
