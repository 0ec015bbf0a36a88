import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { type Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';

/** What an order was before a change. */
type Before = Pick<Order, 'id' | 'accountId' | 'creditsNotRecovered' | 'isDisputeLost'>;

const owing = 'account_id = $1 AND is_dispute_lost AND credits_not_recovered > 0 AND accepted_at IS NULL';

/** Served by `orders_of_account` and `accounts_pk`. */
const noteSql = `
  UPDATE accounts SET owes_since = CASE WHEN found.owes THEN $2::timestamptz END
  FROM (SELECT EXISTS (SELECT FROM orders WHERE ${owing}) AS owes) AS found
  WHERE accounts.id = $1 AND (accounts.owes_since IS NOT NULL) <> found.owes`;

/** Served by `orders_of_account`. */
const forgiveSql = `
  WITH forgiven AS (UPDATE orders SET accepted_at = $2 WHERE ${owing} RETURNING id)
  SELECT id FROM forgiven`;

/**
 * Which accounts owe credits: they were spent, and a lost dispute took their money. Written in the transaction that finds it out,
 * so that a charge, which reads it under the same lock, never comes in between.
 */
@Injectable()
export class OwingAccounts {
  constructor(private readonly orders: OrdersRepository) {}

  /**
   * After the money of a granted order changed, and its credits with it. What an operator has accepted, or a later purchase has settled,
   * counts again when it grew.
   */
  async follow(locked: LockedAccounts, before: Before): Promise<void> {
    const after = await this.orders.required(before.id, locked);
    const hasGrown = after.creditsNotRecovered > before.creditsNotRecovered;
    const isNewlyLost = after.isDisputeLost && !before.isDisputeLost && after.creditsNotRecovered > 0;
    if (hasGrown || isNewlyLost) await this.orders.change(locked, before.id, { acceptedAt: null });
    await this.note(locked, before.accountId);
  }

  /** After an order changed whose credits are missing. */
  async note({ query, now }: LockedAccounts, accountId: string): Promise<void> {
    await query('note whether account owes', noteSql, [accountId, now]);
  }

  /** A new purchase settles what is owed: the credits that are bought can be used. */
  async forgive(locked: LockedAccounts, accountId: string): Promise<void> {
    const forgiven = await locked.query('forgive what account owes', forgiveSql, [accountId, locked.now]);
    if (forgiven.length > 0) await this.note(locked, accountId);
  }
}
