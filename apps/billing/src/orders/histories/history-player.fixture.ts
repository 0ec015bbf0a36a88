import { type CardPack } from '@app/contracts';
import { type Failure, type Session } from '@app/stripe-stand-in';
import { TransactionRunner } from '@app/platform/database';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../reports/audit/audit.service.js';
import { Customer } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { lotReference } from '../../credits/references.js';
import { ExpiredLotsStep } from '../../ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from '../../ledger/charges/overdue-charges.step.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { type Order } from '../order.entity.js';
import { RecoverableCreditsStep } from '../recoverable-credits.step.js';
import { type Shop, type Started } from '../shop.fixture.js';
import { happen, type Happening, type Readable, truthOf } from './happenings.fixture.js';
import { type Hearing } from './hearings.fixture.js';
import { expectReview, type Tally } from './tally.fixture.js';

export type Step =
  | { readonly kind: 'happening'; readonly happening: Happening }
  /** All at once, through both replicas, while things go on happening. */
  | { readonly kind: 'hear'; readonly hearings: Hearing[]; readonly meanwhile: Happening[] }
  | { readonly kind: 'spend'; readonly credits: number }
  | { readonly kind: 'end call'; readonly outcome: 'posted' | 'voided' }
  | { readonly kind: 'hours'; readonly hours: number }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'readable'; readonly what: Readable };

/** What is bought; one that is mispriced costs a dollar less at Stripe. */
export interface Bought {
  readonly pack: CardPack;
  readonly isMispriced: boolean;
  /** What goes wrong with the first requests for its session. */
  readonly failure: Pick<Failure, 'kind' | 'when' | 'times'>;
}

const hourMs = 3_600_000;
/** After a day every unpaid order is asked about, however old it is. */
const hoursUntilFound = 24;
/** Each fails twice at most. */
const clicksMax = 3;
const lifetimeMs = 30 * 24 * hourMs;

/** One history on an account of its own. */
export class Player {
  private started: (Started & Pick<Bought, 'isMispriced'>)[] = [];
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
    for (const kept of Object.values(records)) if (kept instanceof Map) kept.clear();
    // Stripe has forgotten the orders of earlier histories.
    await this.shop.ledger.query(`UPDATE orders SET state = 'expired' WHERE state IN ('open', 'processing')`);
    await this.shop.ledger.factory.setClock(new Date(this.now));
    this.customer = await this.shop.ledger.customer(0);
    for (const one of bought) {
      const started = await this.start(one);
      this.started.push({ ...started, isMispriced: one.isMispriced });
      if (one.isMispriced) misprice(records.session(started.sessionId));
    }
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'happening':
        this.happen(step.happening);
        break;
      case 'hear':
        await this.hear(step.hearings, step.meanwhile);
        break;
      case 'spend': {
        const { id, reply } = await this.customer.charge(this.shop.ledger.replica(0), step.credits);
        if (reply.outcome === 'charged') this.calls.push(id);
        break;
      }
      case 'end call': {
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

  /** What was lost on the way is found by the next reconciliation, and swept. */
  async end(tally: Tally): Promise<void> {
    this.makeReadable('all');
    await this.passHours(hoursUntilFound);
    await this.shop.reconcile();
    await this.sweep();
    for (const one of this.started) await this.expectTruth(one, tally);
    expect((await this.shop.ledger.get(AuditService).audit()).discrepancies).toEqual([]);
    tally.histories += 1;
  }

  private happen(happening: Happening): void {
    const started = this.started[happening.order % this.started.length];
    if (started) happen(this.shop.standIn, this.shop.standIn.records.session(started.sessionId), happening);
  }

  /** The buyer clicks until there is a page to pay on. Stripe may have made sessions that nobody was shown. */
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

  private async hear(hearings: Hearing[], meanwhile: Happening[]): Promise<void> {
    const heard = hearings.map((one) => this.hearOne(one, this.replica++));
    for (const happening of meanwhile) {
      await delay(1);
      this.happen(happening);
    }
    await Promise.all(heard);
  }

  private async hearOne(hearing: Hearing, replica: number): Promise<void> {
    if (hearing.by === 'reconciliation') {
      await this.shop.reconcile(replica);
    } else if (hearing.by === 'return page') {
      const started = this.started[hearing.order % this.started.length];
      if (started) await this.shop.comeBack(started, replica);
    } else {
      const { events } = this.shop;
      const event = events[hearing.event % Math.max(1, events.length)];
      if (event) await this.shop.tell(event, replica);
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

  private async expectTruth(started: Started & Pick<Bought, 'isMispriced'>, tally: Tally): Promise<void> {
    const truth = truthOf(this.shop.standIn, started.sessionId);
    const stored = await this.shop.order(started);
    const lots = (await this.shop.lots(started.accountId)).filter(
      ({ reference }) => reference === lotReference(started.orderId),
    );
    if (truth.isPaid && started.isMispriced) return expectReview(stored, truth, tally, lots.length);
    tally.countPurchase(truth.isPaid, lots.length);
    expect({ state: stored.state, lots: lots.map(({ credits }) => credits) }).toEqual({
      state: truth.isPaid ? 'granted' : truth.unpaidState,
      lots: truth.isPaid ? [stored.credits] : [],
    });
    expect(stored.returnedCents).toBe(truth.isPaid ? truth.returnedCents : 0);
    if (truth.isPaid) expect(stored.totalCents).toBe(truth.totalCents);
    if (stored.totalCents === 0) tally.count('free');
    if (stored.lotId !== null) await this.expectExplained(stored, tally);
  }

  /** Each credit of the order's lot is there, was spent, has expired, or was taken back by an adjustment of the order. */
  private async expectExplained(order: Order, tally: Tally): Promise<void> {
    const { credits, creditsTakenBack, creditsNotRecovered, grantedAt } = order;
    const [books] = await this.shop.ledger.query<Books>(booksSql, [order.lotId, order.id]);
    if (!books) throw new Error('the lot is missing');
    const { remaining, taken, spent, expired, all } = books;
    expect({ remaining, taken }).toEqual({ remaining: all, taken: creditsTakenBack });
    expect(remaining + taken + spent + expired).toBe(credits);
    const owed = order.totalCents ? Math.floor((credits * order.returnedCents) / order.totalCents) : 0;
    expect(creditsNotRecovered).toBe(Math.max(0, owed - creditsTakenBack));
    if (order.returnedCents > 0) tally.explained += 1;
    if (creditsNotRecovered > 0) tally.count('not recovered');
    const isAlive = grantedAt !== null && this.now - grantedAt.getTime() < lifetimeMs;
    if (!isAlive) return;
    expect(creditsTakenBack).toBeLessThanOrEqual(owed);
    if (creditsNotRecovered > 0) expect(remaining).toBe(0);
  }
}

function misprice(session: Session): void {
  const cents = (session.amount_subtotal ?? 0) - 100;
  Object.assign(session, { amount_subtotal: cents, amount_total: cents });
}

/** A lot by its entries, beside what it says itself. */
interface Books {
  readonly remaining: number;
  readonly all: number;
  readonly taken: number;
  readonly spent: number;
  readonly expired: number;
}

const sumWhere = (condition: string) =>
  `COALESCE(-sum(entries.credits) FILTER (WHERE ${condition}), 0)::integer`;
const booksSql = `
  SELECT lots.remaining, sum(entries.credits)::integer AS all,
    ${sumWhere('adjustments.order_id = $2')} AS taken,
    ${sumWhere("entries.type IN ('charge', 'reversal')")} AS spent,
    ${sumWhere("entries.type = 'expiry'")} AS expired
  FROM lots JOIN ledger_entries AS entries ON entries.lot_id = lots.id
  LEFT JOIN adjustments ON adjustments.id = entries.adjustment_id
  WHERE lots.id = $1 GROUP BY lots.id`;
