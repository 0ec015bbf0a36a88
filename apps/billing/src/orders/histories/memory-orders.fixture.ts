import { type CardPack, type OrderResolution, type OrderState } from '@app/contracts';
import { type Books, type Session } from '@app/stripe-stand-in';
import { termsOf } from '../../credits/packs.js';
import { readEvent } from '../provider/read-event.js';
import { orderOf, readPayment, type Returns, returnedCents } from '../provider/read-payment.js';
import { applyPaymentState } from '../rules/apply-payment-state.js';
import { paidCents, planReturn } from '../rules/credits-to-return.js';
import { type PaymentState } from '../rules/payment-state.js';
import { type Readable } from './happenings.fixture.js';
import { type Hearing } from './hearings.fixture.js';

const lifetimeDays = 30;

interface MemoryLot {
  readonly expiresOn: number;
  remaining: number;
  /** Taken by calls, and not returned. */
  spent: number;
}

/** An order as billing stores it, and its lots: one at most, if the rules are right. */
export interface MemoryOrder {
  readonly id: string;
  readonly credits: number;
  readonly priceCents: number;
  totalCents: number | null;
  readonly session: Session;
  readonly lots: MemoryLot[];
  state: OrderState;
  checkoutSessionId: string | null;
  paymentIntentId: string | null;
  /** Changes of the lot because of money that went back or returned. */
  readonly adjustments: number[];
  returnedCents: number;
  creditsTakenBack: number;
  creditsNotRecovered: number;
  refreshes: number;
  refreshApplied: number;
  /** Its refunds or disputes could not be read. */
  returnsPending: boolean;
  problem: string | null;
  problemSessions: readonly string[];
  resolution: OrderResolution | null;
}

/** One question to Stripe under way: it reads the session, then what went back, and then is applied. */
interface Look {
  readonly order: MemoryOrder;
  readonly number: number;
  session?: Session;
  payment?: PaymentState;
}

/** Orders in memory that follow the books of a stand-in by the rules of billing, one step at a time. */
export class MemoryOrders {
  readonly orders: MemoryOrder[] = [];
  private looks: Look[] = [];
  /** Pending calls: the lot that each has taken from, and how many credits. */
  private readonly calls: { readonly lot: MemoryLot; readonly credits: number }[] = [];
  private day = 0;
  /** What can be read of what goes back. */
  readable: Readable = 'all';

  constructor(private readonly books: Books) {}

  /** One that is mispriced costs a dollar less at Stripe. */
  start(pack: CardPack, isMispriced: boolean): void {
    const terms = termsOf({ pack });
    if (!terms.ok) throw new Error('no terms');
    const id = `order ${this.orders.length}`;
    const session = this.books.payments.create({
      amount: terms.priceCents - (isMispriced ? 100 : 0),
      currency: 'usd',
      successUrl: 'https://site.example',
      cancelUrl: null,
      clientReferenceId: id,
      customerEmail: null,
      description: null,
      metadata: { order_id: id },
      paymentMetadata: {},
      expiresAt: undefined,
    });
    this.orders.push({
      id,
      credits: terms.credits,
      priceCents: terms.priceCents,
      totalCents: null,
      session,
      lots: [],
      state: 'open',
      checkoutSessionId: this.orders.length % 2 === 0 ? session.id : null,
      paymentIntentId: null,
      adjustments: [],
      returnedCents: 0,
      creditsTakenBack: 0,
      creditsNotRecovered: 0,
      refreshes: 0,
      refreshApplied: 0,
      returnsPending: false,
      problem: null,
      problemSessions: [],
      resolution: null,
    });
  }

  /** The orders in turn. */
  orderOf(number: number): MemoryOrder {
    const order = this.orders[number % this.orders.length];
    if (!order) throw new Error('there is no order');
    return order;
  }

  /** Begins to ask about the orders that are concerned. */
  hear(hearing: Hearing): void {
    const asked =
      hearing.by === 'event'
        ? this.ofEvent(hearing.event)
        : hearing.by === 'return page'
          ? [this.orderOf(hearing.order)]
          : this.orders.filter((order) => order.state !== 'granted' || this.isReturnUnknown(order));
    for (const order of asked) this.looks.push({ order, number: ++order.refreshes });
  }

  /** One of the questions goes one step further. */
  goOn(number: number): void {
    const look = this.looks[number % Math.max(1, this.looks.length)];
    if (!look) return;
    if (!look.session) look.session = structuredClone(this.books.records.session(look.order.session.id));
    else if (!look.payment) look.payment = this.read(look.session);
    else {
      this.apply(look.order, look.number, look.payment);
      this.looks = this.looks.filter((other) => other !== look);
    }
  }

  /** Its replica is killed. */
  lose(number: number): void {
    this.looks.splice(number % Math.max(1, this.looks.length), 1);
  }

  /** All questions are answered, in an order of their own. */
  finish(): void {
    for (let number = 0; this.looks.length > 0; number++) this.goOn(number);
  }

  passDays(days: number): void {
    this.day += days;
  }

  spend(credits: number): void {
    const lot = this.orders.flatMap(({ lots }) => lots).find((one) => this.isOpen(one) && one.remaining > 0);
    if (!lot) return;
    const taken = Math.min(lot.remaining, credits);
    lot.remaining -= taken;
    lot.spent += taken;
    this.calls.push({ lot, credits: taken });
  }

  /** The oldest pending call ends; a void returns its credits, which are gone if the lot has expired. */
  endCall(outcome: 'posted' | 'voided'): void {
    const call = this.calls.shift();
    if (!call || outcome === 'posted') return;
    call.lot.remaining += call.credits;
    call.lot.spent -= call.credits;
  }

  /** Every pending call times out, and the sweep takes what it can. */
  sweep(): void {
    while (this.calls.length > 0) this.endCall('voided');
    for (const order of this.orders) this.settle(order, order.returnedCents);
  }

  isOpen({ expiresOn }: MemoryLot): boolean {
    return expiresOn > this.day;
  }

  /** As billing finds it: by what it has stored, or by what Stripe knows of the session. */
  private ofEvent(number: number): MemoryOrder[] {
    const events = [...this.books.records.events.values()];
    const event = events[number % Math.max(1, events.length)];
    const known = event && readEvent(event);
    if (typeof known !== 'object' || known === null) return [];
    const { kind, id } = known.subject;
    const { sessions } = this.books.records;
    const session =
      kind === 'session'
        ? sessions.get(id)
        : [...sessions.values()].find(({ payment_intent }) => payment_intent === id);
    const stored = this.orders.find(
      ({ checkoutSessionId, paymentIntentId }) =>
        (kind === 'session' ? checkoutSessionId : paymentIntentId) === id,
    );
    const found = stored ?? this.orders.find((order) => session && order.id === orderOf(session));
    return found ? [found] : [];
  }

  private isReturnUnknown(order: MemoryOrder): boolean {
    const totalCents = paidCents(order);
    const returned = returnedCents(this.returnsOf(order.paymentIntentId), { totalCents, currency: 'usd' });
    return order.returnsPending || Math.min(totalCents, returned) !== order.returnedCents;
  }

  private returnsOf(intent: string | null): Returns {
    const { refunds, disputes } = this.books.records;
    const isOfPayment = (one: { payment_intent: string }): boolean => one.payment_intent === intent;
    return {
      refunds: [...refunds.values()].filter(isOfPayment),
      disputes: [...disputes.values()].filter(isOfPayment),
    };
  }

  private read(session: Session): PaymentState {
    const { paymentIntents } = this.books.records;
    const intent = session.payment_intent === null ? null : paymentIntents.get(session.payment_intent);
    const { refunds, disputes } = this.returnsOf(session.payment_intent);
    const returns: Returns = {
      refunds: this.readable === 'all' || this.readable === 'refunds' ? refunds : null,
      disputes: this.readable === 'all' || this.readable === 'disputes' ? disputes : null,
    };
    return structuredClone(readPayment({ ...session, payment_intent: intent ?? null }, returns));
  }

  private apply(order: MemoryOrder, number: number, payment: PaymentState): void {
    const change = applyPaymentState(order, { number, payment }, { isLive: false });
    if (change.kind === 'second_payment') throw new Error('nobody has paid twice');
    if (change.kind === 'ignored') return;
    order.refreshApplied = number;
    if (change.kind === 'nothing') return;
    Object.assign(order, change.review);
    order.state = change.state;
    order.checkoutSessionId = payment.sessionId;
    order.paymentIntentId = payment.paymentIntentId;
    order.totalCents = change.amounts?.totalCents ?? order.totalCents;
    order.returnsPending = change.returnsPending;
    if (change.isGranted) {
      order.lots.push({ expiresOn: this.day + lifetimeDays, remaining: order.credits, spent: 0 });
    }
    this.settle(order, change.returnedCents);
  }

  private settle(order: MemoryOrder, returnedCents: number): void {
    order.returnedCents = returnedCents;
    const [lot] = order.lots;
    if (!lot) return;
    const paid = { ...order, paidCents: paidCents(order) };
    const plan = planReturn(paid, { remaining: lot.remaining, isExpired: !this.isOpen(lot) });
    lot.remaining += plan.change;
    if (plan.change !== 0) order.adjustments.push(plan.change);
    order.creditsTakenBack = plan.creditsTakenBack;
    order.creditsNotRecovered = plan.creditsNotRecovered;
    if (lot.remaining < 0 || lot.remaining > order.credits) throw new Error('the lot is out of its bounds');
  }
}
