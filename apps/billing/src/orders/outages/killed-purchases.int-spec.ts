import { TransactionRunner } from '#platform/database';
import { type ApiCall, type Reply } from '#stripe-stand-in';
import { ledgerRuns, until } from '#testing';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { hourMs } from '../../durations.js';
import { billingDataSourceOptions } from '../../database/data-source.js';
import { entities } from '../../entities.js';
import { ReconciliationService } from '../reconciliation.service.js';
import { Shop, useShop } from '../shop.fixture.js';
import { BreakingPostgres, type Fate } from './breaking-postgres.fixture.js';

const shop = useShop();
/** A purchase takes some fifty steps; a short run is broken off at each sixteenth of them. */
const stride = Math.max(1, Math.floor(50 / ledgerRuns(3).runs));
let now = Date.UTC(2026, 2, 1);

beforeAll(() => {
  Logger.overrideLogger(false);
});

/**
 * A replica that is killed at its n-th step: a statement to PostgreSQL or a request to Stripe. `not done`: nothing of it or
 * after it arrives anywhere. `done unseen`: it is done, its answer is lost with every connection, and the replica lives on.
 */
class MortalBilling {
  private step = 0;
  private isWatched = false;
  private isDead = false;
  wasStruck = false;

  constructor(
    private readonly last: number,
    private readonly manner: Exclude<Fate, 'answered'>,
  ) {}

  fate(): Fate {
    if (!this.isWatched) return 'answered';
    if (this.isDead) return 'not done';
    this.step += 1;
    if (this.step !== this.last) return 'answered';
    this.wasStruck = true;
    this.isDead = this.manner === 'not done';
    return this.manner;
  }

  async callStripe(_call: ApiCall, run: () => Promise<Reply>): Promise<Reply> {
    const fate = this.fate();
    if (fate === 'not done') throw new Error('the connection breaks');
    const reply = await run();
    if (fate === 'done unseen') throw new Error('the connection breaks');
    return reply;
  }

  /** Resolves to whether it has worked, undisturbed; billing has been started again then. */
  async live(work: () => Promise<unknown>): Promise<boolean> {
    const { wasStruck } = this;
    this.isWatched = true;
    try {
      await work();
      return this.wasStruck === wasStruck;
    } catch (error) {
      if (!this.wasStruck) throw error;
      return false;
    } finally {
      this.isWatched = this.isDead = false;
    }
  }
}

/** How billing learns of a payment: by an event of Stripe, or only by the reconciliation. */
type Channel = 'event' | 'reconciliation';

interface Delivery {
  /** Before billing is killed. */
  readonly channel: Channel;
  /** After it is back. */
  readonly recovery: Channel;
}

/** A purchase of 500 credits, of which a fifth is refunded, through a replica that can be killed. */
class Purchase {
  readonly orderId = uuidv7();
  accountId = '';

  /** The shop of the replica that can be killed. */
  constructor(
    private readonly shop: Shop,
    private readonly mortal: MortalBilling,
    private readonly delivery: Delivery,
  ) {}

  async play(): Promise<void> {
    this.accountId = await this.shop.ledger.factory.account();
    // The buyer, who has got no page to pay on, clicks again.
    if (!(await this.live(() => this.start()))) await this.start();
    this.shop.standIn.payments.pay(this.session.id, 'card');
    await this.deliverLast();
    this.shop.standIn.returns.refund(this.session.payment_intent ?? '', 2_980);
    await this.deliverLast();
  }

  get session() {
    const [session, ...others] = this.shop.sessions.filter(
      ({ client_reference_id }) => client_reference_id === this.orderId,
    );
    expect(others).toEqual([]);
    if (!session) throw new Error('the order has no session');
    return session;
  }

  private start(): Promise<unknown> {
    return this.shop.ask(this.accountId, { orderId: this.orderId });
  }

  /** The payment is applied, perhaps only when the lease of what was broken off has ended. */
  private async deliverLast(): Promise<void> {
    const event = this.shop.events.findLast(({ type }) => /^(checkout|refund)\./.test(type)) ?? {};
    const { channel, recovery } = this.delivery;
    if (channel === 'reconciliation') await this.passHour();
    if (!(await this.live(() => this.deliver(channel, event)))) {
      await this.passHour();
      await this.deliver(recovery, event);
    }
    await this.live(() => this.shop.work());
    await this.passHour();
    await this.shop.work();
  }

  private deliver(channel: Channel, event: object): Promise<unknown> {
    if (channel === 'reconciliation') return this.shop.replica(0).get(ReconciliationService).reconcile();
    return this.shop.post(event);
  }

  private async live(work: () => Promise<unknown>): Promise<boolean> {
    const hasWorked = await this.mortal.live(work);
    if (!hasWorked) await until(() => this.isConnected());
    return hasWorked;
  }

  /** Whether the pool has noticed which of its connections are broken. */
  private isConnected(): Promise<boolean> {
    const { query } = this.shop.replica(0).get(TransactionRunner);
    return Promise.all([query('probe', 'SELECT 1'), query('probe', 'SELECT 1')]).then(
      () => true,
      () => false,
    );
  }

  private async passHour(): Promise<void> {
    await this.shop.ledger.factory.setClock(new Date((now += hourMs)));
  }

  /** What is true of it in the end, whatever happened on the way. */
  async books(): Promise<object> {
    const { accountId, orderId, shop } = this;
    const [row] = await shop.ledger.query<object>(
      `SELECT (SELECT count(*)::integer FROM notices WHERE account_id = $1) AS receipts,
         (SELECT array_agg(credits) FROM adjustments WHERE account_id = $1) AS adjustments`,
      [accountId],
    );
    const { state, returnedCents, creditsTakenBack } = await shop.order({ orderId });
    const lots = (await shop.lots(accountId)).map(({ credits, remaining }) => ({ credits, remaining }));
    const balance = await shop.ledger.balance(accountId);
    return { ...row, state, returnedCents, creditsTakenBack, lots, balance };
  }
}

const sound = {
  receipts: 1,
  state: 'granted',
  returnedCents: 2_980,
  creditsTakenBack: 100,
  lots: [{ credits: 500, remaining: 400 }],
  adjustments: [-100],
  balance: 400,
};

describe('a purchase', () => {
  it.each([
    ['an event', 'before', { channel: 'event', manner: 'not done' }] as const,
    ['an event', 'after', { channel: 'event', manner: 'done unseen' }] as const,
    ['a reconciliation', 'before', { channel: 'reconciliation', manner: 'not done' }] as const,
    ['a reconciliation', 'after', { channel: 'reconciliation', manner: 'done unseen' }] as const,
  ])(
    'that is known by %s loses nothing and counts nothing twice, whichever step billing is broken off %s',
    async (_channel, _when, { channel, manner }) => {
      await shop.ledger.factory.setClock(new Date(now));
      let mortal = new MortalBilling(0, manner);
      const proxy = await new BreakingPostgres(shop.ledger.url, () => mortal.fate()).listen();
      const dataSource = await new DataSource(
        billingDataSourceOptions({ url: proxy.url, poolSize: 2, entities }),
      ).initialize();
      const billing = await shop.ledger.anotherReplica({ dataSource });
      const mortalShop = new Shop(shop.ledger, shop.standIn, [billing, billing]);
      shop.standIn.intercept((call, run) => mortal.callStripe(call, run));
      let [steps, purchases] = [1 - stride, 0];
      do {
        steps += stride;
        purchases += 1;
        mortal = new MortalBilling(steps, manner);
        // In turn, so that each step is healed in both ways.
        const isDelivered = (purchases % 2 === 0) === (manner === 'not done');
        const delivery: Delivery = { channel, recovery: isDelivered ? 'event' : 'reconciliation' };
        const purchase = new Purchase(mortalShop, mortal, delivery);
        await purchase.play();
        expect({ steps, ...(await purchase.books()) }).toEqual({ steps, ...sound });
      } while (mortal.wasStruck);
      // Storing the order, its session, the events, the grant and the refund.
      process.stdout.write(`a purchase known by ${channel}: ${steps - 1} steps, ${manner}\n`);
      expect(steps).toBeGreaterThan(40);
      await dataSource.destroy();
      proxy.close();
    },
    240_000,
  );
});
