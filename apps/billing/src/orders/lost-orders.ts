import { isId } from '#contracts';
import { Injectable, Logger } from '@nestjs/common';
import { AccountTransactions } from '../database/account-transactions.js';
import { type Order } from './order.entity.js';
import { OrdersRepository } from './orders.repository.js';
import { type KnownSession } from './provider/stripe-payments.js';

/**
 * Orders that Stripe knows and the database has forgotten, because it was restored to an instant before they were started. An order
 * is stored before Stripe hears of it and never deleted, so a session with all of an order of an existing account is such a one.
 */
@Injectable()
export class LostOrders {
  private readonly logger = new Logger(LostOrders.name);

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly orders: OrdersRepository,
  ) {}

  /** The order of a session, which is stored again when it is missing; `null`: it is not one of ours, or its account is missing too. */
  async findOrRestore(session: KnownSession): Promise<Order | null> {
    if (!isId(session.reference)) return null;
    return (await this.orders.find(session.reference)) ?? this.restore(session);
  }

  /** Nothing is granted here: the order is open, and then follows its payment as any other. */
  private restore({ sessionId, ordered, startedAt }: KnownSession): Promise<Order | null> {
    if (ordered === null) return Promise.resolve(null);
    const { id, accountId } = ordered;
    return this.transactions.run([accountId], async (locked) => {
      if (!locked.accountIds.has(accountId)) {
        this.logger.warn(
          `Session ${sessionId} is for order ${id} of account ${accountId}, which does not exist here.`,
        );
        return null;
      }
      const known = await this.orders.find(id, locked);
      if (known) return known;
      locked.onCommit(() =>
        this.logger.warn(
          `Order ${id} of account ${accountId} was missing, and is stored again as Stripe has it.`,
        ),
      );
      return this.orders.insert(locked, {
        ...ordered,
        ...{ state: 'open', orderedAt: startedAt, checkoutSessionId: sessionId },
      });
    });
  }
}
