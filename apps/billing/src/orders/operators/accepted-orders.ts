import { ServiceError } from '@app/contracts';
import { type RemainingMs } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { OrdersRepository } from '../orders.repository.js';
import { concernsOf } from './order-concerns.js';
import { OwingAccounts } from '../owing-accounts.js';
import { ReviewedOrders } from './reviewed-orders.js';

/** Orders that operators leave as they are. */
@Injectable()
export class AcceptedOrders {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly reviewed: ReviewedOrders,
    private readonly orders: OrdersRepository,
    private readonly owing: OwingAccounts,
  ) {}

  /**
   * Answers a warning of fraud, and writes off credits that were not recovered, until something new comes up. Throws `not_found`,
   * and `conflict` for an order without these concerns.
   */
  async accept(orderId: string, remainingMs?: RemainingMs): Promise<void> {
    const { accountId } = await this.reviewed.get(orderId);
    const accept = async (locked: LockedAccounts): Promise<void> => {
      const order = await this.orders.find(orderId, locked);
      if (!order || !concernsOf(order).some((concern) => concern !== 'problem')) throw nothingToAccept();
      await this.orders.change(locked, orderId, { acceptedAt: locked.now });
      await this.owing.note(locked, accountId);
    };
    await this.transactions.run([accountId], accept, { remainingMs });
  }
}

function nothingToAccept(): ServiceError {
  return new ServiceError(
    'conflict',
    'This order has no unanswered fraud warning and no credits that were not recovered.',
  );
}
