import { ServiceError } from '#contracts';
import { gauge, LOGGER, type Logger as PlatformLogger, messageOf, PeriodicTask, sha256 } from '#platform';
import { TransactionRunner } from '#platform/database';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { minuteMs, dayMs } from '../durations.js';
import { advisoryLocks } from '../database/advisory-locks.js';
import { PaymentEventsRepository } from './inbox/payment-events.repository.js';
import { PaymentEventsService } from './inbox/payment-events.service.js';
import { type Order } from './order.entity.js';
import { OrderRefresh } from './order-refresh.js';
import { type DueOrders, OrdersRepository } from './orders.repository.js';
import { SELLING_OPTIONS, type SellingOptions } from './provider/selling-options.js';
import { UnknownToProvider } from './provider/stripe-client.js';
import { StripePayments } from './provider/stripe-payments.js';

/** Few, so that orders that a replica has claimed when it dies are soon claimed by another one. */
const batchSize = 10;
/** After this many requests in a row without a response, Stripe is considered down. */
const failuresMax = 5;
/** Stripe lists the events of 30 days. */
const cursorDaysMax = 25;
/** An event may be listed some time after its creation, and clocks differ. */
const overlapMs = 10 * minuteMs;

/**
 * Until when the events of Stripe have been read with the present key, over all replicas (`NULL`: they never were), and the time of the
 * database.
 */
const readCursorSql = `
  SELECT now, read_until FROM (SELECT ledger_now() AS now) AS clock LEFT JOIN reconciliation_cursor ON key_hash = $1`;
/** Moves the cursor, never back, except for another key, which may belong to another account at Stripe. */
const moveCursorSql = `
  UPDATE reconciliation_cursor SET key_hash = $1, read_until = $2::timestamptz
  WHERE key_hash IS DISTINCT FROM $1 OR read_until < $2::timestamptz`;

/**
 * Finds what no webhook has reported. Asks Stripe about unpaid orders until it says how they ended, each once a period over all
 * replicas (once a day after 35 days), and about orders whose refunds could not be read or whose invoice has no number yet; reads the
 * list of events from where it was read last into the inbox; and if that is too long ago, asks about all paid orders of half a year.
 * Idle when selling is off.
 */
@Injectable()
export class ReconciliationService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ReconciliationService.name);
  private readonly task: PeriodicTask;
  private isStopped = false;
  private lastSuccess: number | undefined;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
    private readonly refreshing: OrderRefresh,
    private readonly events: PaymentEventsRepository,
    private readonly worker: PaymentEventsService,
    @Inject(SELLING_OPTIONS) private readonly options: SellingOptions,
    @Inject(LOGGER) logger: PlatformLogger,
  ) {
    this.task = new PeriodicTask({
      run: () => this.reconcile(),
      intervalMs: options.reconciliationPeriodMs,
      problem: 'Orders could not be reconciled with Stripe.',
      logger,
    });
    gauge(
      'reconciliation_last_success_timestamp_seconds',
      'End of the last reconciliation of this replica with Stripe that left out no order.',
      () => this.lastSuccess,
    );
  }

  onApplicationBootstrap(): void {
    if (this.stripe.isOpen) this.task.start();
  }

  /** Stops after the order in progress. */
  beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    return this.task.stop();
  }

  /**
   * One reconciliation. A failure is logged: the next one finds what this one has left out. Each part runs whether or not the others
   * fail.
   */
  async reconcile(): Promise<void> {
    const parts = [
      () => this.checkUnpaid(),
      () => this.transactions.runAlone(advisoryLocks.stripeEvents, () => this.readEvents()),
      () => this.checkEach('returns_pending'),
      () => this.checkEach('invoice_pending'),
    ];
    let failed = 0;
    for (const part of parts) {
      try {
        await part();
      } catch (error) {
        failed += 1;
        this.logger.error(new Error('Orders could not be reconciled with Stripe.', { cause: error }));
      }
    }
    if (failed === 0) this.lastSuccess = Date.now() / 1_000;
  }

  private async checkUnpaid(): Promise<void> {
    await this.orders.expireAbandoned();
    await this.checkEach('unpaid');
  }

  /** Asks about each order that is due. One of them may be why Stripe does not answer, unless several in a row have no answer. */
  private async checkEach(due: DueOrders): Promise<void> {
    let last: Error | null = null;
    let inARow = 0;
    for (;;) {
      const ids = await this.orders.claim(due, this.options.reconciliationPeriodMs, batchSize);
      for (const id of ids) {
        if (this.isStopped) return;
        const order = await this.orders.find(id);
        const problem = order && (await this.check(order));
        inARow = problem ? inARow + 1 : 0;
        last = problem ?? last;
        if (inARow >= failuresMax) break;
      }
      if (last && (inARow >= failuresMax || ids.length < batchSize)) throw last;
      if (ids.length < batchSize) return;
    }
  }

  /** Stores the events since the last time; they are then handled like events that Stripe has sent. */
  private async readEvents(): Promise<void> {
    const { query } = this.transactions;
    const keyHash = sha256(`reconciliation ${this.options.secretKey}`);
    const [cursor] = await query<{ now: Date; read_until: Date | null }>(
      'read reconciliation cursor',
      readCursorSql,
      [keyHash],
    );
    if (!cursor) throw new Error('the clock gave no row');
    const { now, read_until: readUntil } = cursor;
    if (readUntil !== null && now.getTime() - readUntil.getTime() < cursorDaysMax * dayMs) {
      for await (const page of this.stripe.eventsSince(new Date(readUntil.getTime() - overlapMs))) {
        if ((await this.events.store(page, 'reconciliation')) > 0) this.worker.work.wake();
        if (this.isStopped) return;
      }
    } else {
      await this.orders.markReturnsPending();
    }
    await query('move reconciliation cursor', moveCursorSql, [keyHash, now]);
  }

  /** Resolves to why Stripe sent no response; `null` if it did, or if a repetition would not help. Other orders may succeed. */
  private async check(order: Order): Promise<Error | null> {
    try {
      const { returnsPending } = await this.refreshing.refresh(order, 'reconciliation');
      return returnsPending ? new Error('Refunds and disputes cannot be read.') : null;
    } catch (error) {
      if (error instanceof ServiceError) return error;
      const isUnknown = error instanceof UnknownToProvider;
      this.logger.error(
        isUnknown
          ? `Order ${order.id}: ${messageOf(error)} Does the key belong to the account that sold it?`
          : new Error(`Order ${order.id} could not be checked.`, { cause: error }),
      );
      return null;
    }
  }
}
