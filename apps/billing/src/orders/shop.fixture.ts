import { randomUUID } from 'node:crypto';
import { type CardPack, type OrderView, type StartOrderReply } from '#contracts';
import {
  type Payments,
  type Session,
  type StandInEvent,
  startStripeStandIn,
  type StripeStandIn,
} from '#stripe-stand-in';
import Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../reports/audit/audit.service.js';
import { type ComposedBilling, sellingOff } from '../composed-billing.fixture.js';
import { Customer, type LedgerFixture, openLedger } from '../ledger/ledger.fixture.js';
import { Order } from './order.entity.js';
import { OrderRefresh } from './order-refresh.js';
import { type Cause } from './order-transitions.js';
import { OrdersService } from './orders.service.js';
import { PaymentEventsService } from './inbox/payment-events.service.js';
import { type SellingOptions } from './provider/selling-options.js';
import { ReconciliationService } from './reconciliation.service.js';

export const webhookSecret = 'whsec_test';
const startAt = Date.UTC(2026, 2, 1, 12);
const pagesUrl = 'https://site.example/account';

/** An order and its session at the stand-in. */
export interface Started {
  readonly orderId: string;
  readonly accountId: string;
  readonly sessionId: string;
}

type SessionRequest = Parameters<Payments['create']>[0];

/** An event in the inbox. */
interface StoredEvent {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly problem: string | null;
  readonly subjectId: string;
  readonly attemptUntil: Date | null;
}

/** An order of a new account, whose payment intent is known. */
export type Granted = Started & { readonly intentId: string };

/** Two replicas of billing that sell through a stand-in whose events are sent by the test only. */
export class Shop {
  constructor(
    public ledger: LedgerFixture,
    public standIn: StripeStandIn,
    public replicas: readonly [ComposedBilling, ComposedBilling],
  ) {}

  /** The two in turn. */
  replica(number: number): ComposedBilling {
    return this.replicas[number % 2 === 0 ? 0 : 1];
  }

  /** Starts an order, of a new account unless one is given. */
  async started(account?: string): Promise<Started> {
    const [accountId, orderId] = [account ?? (await this.ledger.factory.account()), uuidv7()];
    await this.ask(accountId, { orderId });
    const session = this.sessions.find(({ client_reference_id }) => client_reference_id === orderId);
    if (!session) throw new Error('the order has no session');
    return { orderId, accountId, sessionId: session.id };
  }

  /** The message of a gateway. */
  ask(
    account_id: string,
    { orderId = uuidv7(), pack = 'builder', replica = 0 }: Partial<Asked> = {},
  ): Promise<StartOrderReply> {
    return this.replica(replica)
      .get(OrdersService)
      .start({ account_id, order_id: orderId, person_id: randomUUID(), pack, pages_url: pagesUrl });
  }

  /** An order of a new account that was paid at Stripe, of which billing does not know yet. */
  async paid(): Promise<Started> {
    const started = await this.started();
    this.standIn.payments.pay(started.sessionId, 'card');
    return started;
  }

  /** Another payment of $149 in the same account of Stripe that names the order. */
  paidElsewhere({ orderId }: Started, given: Partial<SessionRequest> = {}): Session {
    const session = this.standIn.payments.create({
      amount: 14_900,
      currency: 'usd',
      success_url: 'https://other.example',
      client_reference_id: orderId,
      metadata: {},
      ...given,
    });
    return this.standIn.payments.pay(session.id, 'card');
  }

  /** An order of a new account, paid too little: Stripe has another price than billing. */
  async underpaid(): Promise<Started> {
    const started = await this.started();
    const amounts = { amount_subtotal: 1_900, amount_total: 1_900 };
    Object.assign(this.standIn.records.session(started.sessionId), amounts);
    this.standIn.payments.pay(started.sessionId, 'card');
    return started;
  }

  /** An order of a new account that is paid and granted. */
  async granted(): Promise<Granted> {
    const paid = await this.paid();
    await this.comeBack(paid);
    return { ...paid, intentId: this.intentOf(paid) };
  }

  /** Money goes back at Stripe, all of it unless `cents` are given, and its events are delivered. */
  async refund(order: Started, cents?: number): Promise<{ readonly id: string }> {
    const refund = this.standIn.returns.refund(this.intentOf(order), cents);
    await this.deliverAll();
    return refund;
  }

  /** The customer of an order, with a key of its own. */
  async customerOf({ accountId }: Started): Promise<Customer> {
    return new Customer(accountId, await this.ledger.factory.key(accountId));
  }

  /** So much time after noon of 1 March 2026, by the clock of the ledger. */
  at(ms: number): Promise<void> {
    return this.ledger.factory.setClock(new Date(startAt + ms));
  }

  /** Requests to Stripe fail from now on: all, or those to paths with this text. */
  disconnect(part = ''): void {
    this.standIn.intercept(({ path }, run) =>
      path.includes(part) ? Promise.reject(new Error('the connection breaks')) : run(),
    );
  }

  reconnect(): void {
    this.standIn.intercept();
  }

  /** Nothing was ever bought, and Stripe works. */
  async empty(): Promise<void> {
    this.forgetSales();
    this.reconnect();
    this.standIn.failures.clear();
    this.standIn.permissions.restrict({});
    this.standIn.invoicing.isSlow = false;
    await this.ledger.empty();
  }

  /** Stripe has no records left. */
  forgetSales(): void {
    for (const kept of Object.values(this.standIn.records)) if (kept instanceof Map) kept.clear();
  }

  /** Returns how many requests Stripe got since: all, or those to paths that begin so. */
  countRequests(start = ''): () => number {
    let count = 0;
    this.standIn.intercept(({ path }, run) => {
      if (path.startsWith(start)) count += 1;
      return run();
    });
    return () => count;
  }

  /** Returns how often Stripe was asked about a session since. */
  countQuestions(): () => number {
    return this.countRequests('/v1/checkout/sessions/');
  }

  /** Requests to paths with this text hang from now on; returns them, and a function that releases them. */
  hold(part = ''): { readonly held: unknown[]; readonly release: () => void } {
    const held: (() => void)[] = [];
    this.standIn.intercept(async ({ path }, run) => {
      if (path.includes(part)) await new Promise<void>((resolve) => held.push(resolve));
      return run();
    });
    return {
      held,
      release: () => {
        this.reconnect();
        for (const release of held) release();
      },
    };
  }

  get sessions(): Session[] {
    return [...this.standIn.records.sessions.values()];
  }

  /** Every event so far, oldest first. */
  get events(): StandInEvent[] {
    return [...this.standIn.records.events.values()];
  }

  intentOf({ sessionId }: Started): string {
    const { payment_intent } = this.standIn.records.session(sessionId);
    if (payment_intent === null) throw new Error('there was no attempt to pay');
    return payment_intent;
  }

  /** The buyer is back at the page of the order, a while after the last time. */
  async comeBack(started: Started, replica = 0): Promise<OrderView> {
    await this.ledger.query('UPDATE orders SET viewed_at = NULL WHERE id = $1', [started.orderId]);
    return this.view(started, replica);
  }

  /** Asks Stripe about the order, whatever its state. */
  async refresh(order: Started, cause: Cause = 'event', replica = 0): Promise<Order> {
    const stored = await this.order(order);
    return this.replica(replica).get(OrderRefresh).refresh(stored, cause);
  }

  /** The page of the order is loaded. */
  view({ accountId, orderId }: Started, replica = 0): Promise<OrderView> {
    return this.replica(replica).get(OrdersService).refresh({ account_id: accountId, order_id: orderId });
  }

  /** A webhook with this event, which is worked on at once. */
  async deliver(event: object, replica = 0): Promise<void> {
    await this.post(event, replica);
    await this.work(replica);
  }

  /** A webhook with this event, which gets an id when it has none. */
  async post(event: object, replica = 0): Promise<void> {
    const body = JSON.stringify({ id: `evt_${randomUUID().replaceAll('-', '')}`, ...event });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret });
    await this.replica(replica).get(PaymentEventsService).handleEvent({ body, signature });
  }

  /** Works on the events that are due, until none is. */
  async work(replica = 0): Promise<void> {
    const { work } = this.replica(replica).get(PaymentEventsService);
    while ((await work.claimDue()) > 0) await work.idle();
  }

  /** The events in the inbox, as they came. */
  inbox(): Promise<StoredEvent[]> {
    return this.ledger.query(
      `SELECT id, state, attempts, problem, subject_id AS "subjectId", attempt_until AS "attemptUntil"
       FROM payment_events ORDER BY received_at, id`,
    );
  }

  /** The reconciliation of an hour, with the work on what it has found. */
  async reconcile(replica = 0): Promise<void> {
    await this.replica(replica).get(ReconciliationService).reconcile();
    await this.work(replica);
  }

  /** Webhooks with all events so far. */
  async deliverAll(): Promise<void> {
    for (const [index, event] of this.events.entries()) await this.deliver(event, index);
  }

  async order({ orderId }: Pick<Started, 'orderId'>): Promise<Order> {
    return this.ledger.dataSource.manager.findOneByOrFail(Order, { id: orderId });
  }

  /** Credits and reference of each lot of the account. */
  async lots(accountId: string): Promise<{ credits: number; remaining: number; reference: string }[]> {
    return this.ledger.query(
      'SELECT credits, remaining, reference FROM lots WHERE account_id = $1 ORDER BY purchased_at, id',
      [accountId],
    );
  }
}

interface Asked {
  readonly orderId: string;
  readonly pack: CardPack;
  readonly replica: number;
}

/** A shop, until it is closed. */
export async function openShop(
  selling: Partial<SellingOptions> = {},
): Promise<{ readonly shop: Shop; close(): Promise<void> }> {
  const standIn = await startStripeStandIn();
  const { url, secretKey } = standIn;
  const through = { ...sellingOff, secretKey, webhookSecret, apiUrl: url, checkoutUrl: url };
  const ledger = await openLedger({}, { ...through, ...selling });
  const second = await new DataSource(ledger.dataSource.options).initialize();
  return {
    shop: new Shop(ledger, standIn, [ledger, await ledger.anotherReplica({ dataSource: second })]),
    async close() {
      await Promise.all([standIn.stop(), second.destroy()]);
      await ledger.close();
    },
  };
}

/** A shop of the suite. It is empty when a test begins, and its ledger is audited when one ends. */
export function useShop(selling: Partial<SellingOptions> = {}): Shop {
  const shop = Object.create(Shop.prototype) as Shop;
  let open: Awaited<ReturnType<typeof openShop>>;
  beforeAll(async () => {
    open = await openShop(selling);
  });
  beforeEach(async () => {
    Object.assign(shop, open.shop);
    await shop.empty();
  });
  afterEach(async () => {
    const { discrepancies } = await shop.ledger.get(AuditService).audit();
    expect(discrepancies).toEqual([]);
  });
  afterAll(() => open.close());
  return shop;
}
