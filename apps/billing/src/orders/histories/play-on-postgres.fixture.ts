import { type Session } from '#stripe-stand-in';
import { TransactionRunner } from '#platform/database';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { hourMs } from '../../durations.js';
import { AuditService } from '../../reports/audit/audit.service.js';
import { Customer } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { lotReference } from '../../credits/references.js';
import { ExpiredLotsStep } from '../../ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from '../../ledger/charges/overdue-charges.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { RecoverableCreditsStep } from '../recoverable-credits.step.js';
import { type Shop, type Started } from '../shop.fixture.js';
import {
  type Bought,
  type DeliveryChannel,
  type OrderBooks,
  type Readable,
  type Step,
} from './history.fixture.js';
import { applyShopEvent, type ShopEvent, truthOf } from './shop-events.fixture.js';

type Sold = Started & Pick<Bought, 'isMispriced'>;

/** After a day every unpaid order is asked about, however old it is. */
const hoursUntilFound = 24;
/** Each fails twice at most. */
const clicksMax = 3;

/** A shop on PostgreSQL; each history has an account of its own. */
export class PostgresOrders {
  private sold: Sold[] = [];
  private customer = new Customer('', '');
  private readonly calls: string[] = [];
  private replica = 0;

  constructor(
    private readonly shop: Shop,
    /** The time of the shop. */
    public now: number,
  ) {}

  async begin(bought: readonly Bought[]): Promise<void> {
    const { records } = this.shop.standIn;
    this.shop.forgetSales();
    // Stripe has forgotten the orders of earlier histories.
    await this.shop.ledger.query(`UPDATE orders SET state = 'expired' WHERE state IN ('open', 'processing')`);
    await this.shop.ledger.factory.setClock(new Date(this.now));
    this.customer = await this.shop.ledger.customer(0);
    for (const one of bought) {
      const started = await this.start(one);
      this.sold.push({ ...started, isMispriced: one.isMispriced });
      if (one.isMispriced) misprice(records.session(started.sessionId));
    }
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'shop_event':
        this.happen(step.event);
        break;
      case 'deliver':
        await this.deliver(step.channels, step.meanwhile);
        break;
      case 'deliver_all':
        await this.shop.reconcile(this.replica++);
        break;
      case 'spend': {
        const { id, reply } = await this.customer.charge(this.shop.ledger.replica(0), step.credits);
        if (reply.outcome === 'charged') this.calls.push(id);
        break;
      }
      case 'end_call': {
        const id = this.calls.shift();
        if (id) await this.customer.settle(this.shop.ledger.replica(1), id, step.outcome);
        break;
      }
      case 'hours':
        await this.passHours(step.hours);
        break;
      case 'sweep':
        await this.sweep();
        break;
      case 'readable':
        this.makeReadable(step.what);
        break;
    }
  }

  /** Stripe can be read again, and what was lost on the way is found by the next reconciliation, and swept. */
  async finish(): Promise<void> {
    this.makeReadable('all');
    await this.passHours(hoursUntilFound);
    await this.shop.reconcile();
    await this.sweep();
    expect((await this.shop.ledger.get(AuditService).audit()).discrepancies).toEqual([]);
  }

  orders(): Promise<OrderBooks[]> {
    return Promise.all(this.sold.map((one) => this.booksOf(one)));
  }

  private happen(event: ShopEvent): void {
    const sold = this.sold[event.order % this.sold.length];
    if (sold) applyShopEvent(this.shop.standIn, this.shop.standIn.records.session(sold.sessionId), event);
  }

  /** The buyer clicks until there is a page to pay on. Stripe may have made sessions that were never shown. */
  private async start({ pack, failure }: Bought): Promise<Started> {
    const { failures } = this.shop.standIn;
    if (failure.times !== 0) failures.add({ ...failure, operation: 'create_session' });
    const { accountId } = this.customer;
    const orderId = uuidv7();
    let problem: unknown;
    for (let click = 1; click <= clicksMax; click += 1) {
      try {
        await this.shop.ask(accountId, { orderId, pack, replica: click });
        failures.clear();
        const { checkoutSessionId } = await this.shop.order({ orderId });
        return { accountId, orderId, sessionId: checkoutSessionId ?? '' };
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }

  /** Refunds fail, as at Stripe; disputes are forbidden, as to a key without the permission. */
  private makeReadable(what: Readable): void {
    const { failures, permissions } = this.shop.standIn;
    failures.clear();
    if (what === 'disputes' || what === 'nothing') failures.add({ kind: '500', operation: 'list_refunds' });
    permissions.restrict(what === 'refunds' || what === 'nothing' ? { disputes: 'none' } : {});
  }

  private async deliver(
    channels: readonly DeliveryChannel[],
    meanwhile: readonly ShopEvent[],
  ): Promise<void> {
    const delivered = channels.map((channel) => this.deliverBy(channel, this.replica++));
    for (const event of meanwhile) {
      await delay(1);
      this.happen(event);
    }
    await Promise.all(delivered);
  }

  private async deliverBy(channel: DeliveryChannel, replica: number): Promise<void> {
    if (channel.by === 'reconciliation') {
      await this.shop.reconcile(replica);
    } else if (channel.by === 'return_page') {
      const sold = this.sold[channel.order % this.sold.length];
      if (sold) await this.shop.comeBack(sold, replica);
    } else {
      const { events } = this.shop;
      const event = events[channel.event % Math.max(1, events.length)];
      if (event) await this.shop.deliver(event, replica);
    }
  }

  private async passHours(hours: number): Promise<void> {
    this.now += hours * hourMs;
    await this.shop.ledger.factory.setClock(new Date(this.now));
  }

  private async sweep(): Promise<void> {
    const { ledger } = this.shop;
    const steps = [
      ledger.get(OverdueChargesStep),
      ledger.get(RecoverableCreditsStep),
      ledger.get(ExpiredLotsStep),
    ];
    await new SweepService(ledger.get(TransactionRunner), defaultLedgerOptions, steps).sweep();
  }

  private async booksOf({ isMispriced, ...started }: Sold): Promise<OrderBooks> {
    const order = await this.shop.order(started);
    const reference = lotReference(started.orderId);
    const lots = await this.shop.ledger.query<LotRow>(lotsSql, [
      started.accountId,
      reference,
      started.orderId,
    ]);
    return {
      ...order,
      truth: truthOf(this.shop.standIn, started.sessionId),
      isMispriced,
      lots: lots.map(({ expires_at, ...lot }) => ({ ...lot, isOpen: this.now < expires_at.getTime() })),
    };
  }
}

function misprice(session: Session): void {
  const cents = (session.amount_subtotal ?? 0) - 100;
  Object.assign(session, { amount_subtotal: cents, amount_total: cents });
}

interface LotRow {
  readonly remaining: number;
  readonly taken: number;
  readonly spent: number;
  readonly expired: number;
  readonly expires_at: Date;
}

const sumWhere = (condition: string) =>
  `COALESCE(-sum(entries.credits) FILTER (WHERE ${condition}), 0)::integer`;
const lotsSql = `
  SELECT lots.remaining, lots.expires_at,
    ${sumWhere('adjustments.order_id = $3')} AS taken,
    ${sumWhere("entries.type IN ('charge', 'reversal')")} AS spent,
    ${sumWhere("entries.type = 'expiry'")} AS expired
  FROM lots JOIN ledger_entries AS entries ON entries.lot_id = lots.id
  LEFT JOIN adjustments ON adjustments.id = entries.adjustment_id
  WHERE lots.account_id = $1 AND lots.reference = $2 GROUP BY lots.id`;
