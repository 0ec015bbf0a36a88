import { TransactionRunner } from '#platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { AccountTransactions } from '../database/account-transactions.js';
import { type RequestBudget } from './provider/request-budget.js';
import { isUnknownCustomer, StripeInvoices } from './provider/stripe-invoices.js';

/** The customers of accounts at Stripe: one each, of which the first that is stored counts. */
@Injectable()
export class AccountCustomers {
  private readonly logger = new Logger(AccountCustomers.name);

  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly accounts: AccountsRepository,
    private readonly stripe: StripeInvoices,
  ) {}

  /**
   * Makes a request with the customer of the account, who is created if there is none. Once more with a new one when Stripe does not
   * know the customer: it was deleted there, or is one of test mode. Throws `not_found` without the account.
   */
  async run<Result>(
    accountId: string,
    budget: RequestBudget,
    request: (customerId: string) => Promise<Result>,
  ): Promise<Result> {
    const customer = await this.ensure(accountId, null, budget);
    try {
      return await request(customer);
    } catch (error) {
      if (!isUnknownCustomer(error)) throw error;
      this.logger.warn(
        `Stripe does not know customer ${customer} of account ${accountId}: it gets a new one.`,
      );
      return request(await this.ensure(accountId, customer, budget));
    }
  }

  /** `unknown`: the customer that Stripe does not know. */
  private async ensure(accountId: string, unknown: string | null, budget: RequestBudget): Promise<string> {
    const { name, email, stripeCustomerId: known } = await this.accounts.get(this.database, accountId);
    if (known !== null && known !== unknown) return known;
    // Without the lock: calls of the account are charged meanwhile.
    const created = await this.stripe.createCustomer({ accountId, name, email, replaces: unknown }, budget);
    return this.transactions.run([accountId], async (locked) => {
      const { stripeCustomerId: stored } = await this.accounts.get(locked, accountId);
      if (stored !== null && stored !== unknown) return stored;
      await this.accounts.setCustomer(locked, accountId, created);
      return created;
    });
  }
}
