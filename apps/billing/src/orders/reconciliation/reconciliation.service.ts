import { ServiceError } from '@app/contracts';
import { gauge, messageOf } from '@app/platform';
import { TransactionRunner } from '@app/platform/database';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type Order } from '../order.entity.js';
import { OrderRefresh } from '../order-refresh.js';
import { OrdersRepository } from '../orders.repository.js';
import { SELLING_OPTIONS, type SellingOptions } from '../provider/selling-options.js';
import { UnknownToProvider } from '../provider/stripe-client.js';
import { StripePayments } from '../provider/stripe-payments.js';
import { paidCents } from '../rules/credits-to-return.js';

const returnsLock = 4_711_009;
/** Few, so that what a replica has claimed when it dies is soon claimed by another one. */
const batchSize = 10;
const returnsMax = 500;
const dayMs = 86_400_000;
/** Disputes can be opened for 120 days, and take up to 60 more. */
const returnsDays = 180;

/**
 * Finds what no webhook has told: asks Stripe about unpaid orders until it says how they ended, each once a period whichever
 * replica does it (once a day after 35 days), and lists refunds and disputes to compare them with what is known. Idle when
 * selling is off.
 */
@Injectable()
export class ReconciliationService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ReconciliationService.name);
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<unknown> = Promise.resolve();
  private isStopped = false;
  private lastSuccess: number | undefined;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
    private readonly refreshing: OrderRefresh,
    @Inject(SELLING_OPTIONS) private readonly options: SellingOptions,
  ) {
    gauge(
      'reconciliation_last_success_timestamp_seconds',
      'End of the last reconciliation of this replica with Stripe that left out no order.',
      () => this.lastSuccess,
    );
  }

  onApplicationBootstrap(): void {
    if (this.stripe.isOpen) this.runAndWait();
  }

  /** Stops after the order in progress. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  /** One reconciliation. A failure is logged: the next one finds what this one has left out. */
  async reconcile(): Promise<void> {
    try {
      await this.checkUnpaid();
      await this.transactions.runAlone(returnsLock, () => this.checkReturns());
      this.lastSuccess = Date.now() / 1_000;
    } catch (error) {
      this.logger.error(new Error('Orders could not be reconciled with Stripe.', { cause: error }));
    }
  }

  /** Asks about each unpaid order that is due. */
  private async checkUnpaid(): Promise<void> {
    await this.orders.expireAbandoned();
    for (;;) {
      const ids = await this.orders.claimUnpaid(this.options.reconciliationPeriodMs, batchSize);
      for (const id of ids) {
        if (this.isStopped) return;
        const order = await this.orders.find(id);
        if (order) await this.check(order);
      }
      if (ids.length < batchSize) return;
    }
  }

  /** Compares what went back of the payments of the last months with what is known, and asks where it differs. */
  private async checkReturns(): Promise<void> {
    const since = new Date(Date.now() - returnsDays * dayMs);
    const returned = [...(await this.stripe.returnedSince(since))];
    for (let start = 0; start < returned.length; start += returnsMax) {
      const cents = new Map(returned.slice(start, start + returnsMax));
      for (const order of await this.orders.findPaidByPayments([...cents.keys()])) {
        if (this.isStopped) return;
        const found = Math.min(paidCents(order), cents.get(order.paymentIntentId ?? '') ?? 0);
        if (found !== order.returnedCents) await this.check(order);
      }
    }
  }

  private async check(order: Order): Promise<void> {
    try {
      await this.refreshing.refresh(order, 'reconciliation');
    } catch (error) {
      // Another order may be fine; when Stripe is away, none is.
      if (error instanceof ServiceError) throw error;
      const isUnknown = error instanceof UnknownToProvider;
      this.logger.error(
        isUnknown
          ? `Order ${order.id}: ${messageOf(error)} Does the key belong to the account that sold it?`
          : new Error(`Order ${order.id} could not be checked.`, { cause: error }),
      );
    }
  }

  private runAndWait(): void {
    this.running = this.reconcile().then(() => {
      if (this.isStopped) return;
      this.timer = setTimeout(() => this.runAndWait(), this.options.reconciliationPeriodMs);
    });
  }
}
