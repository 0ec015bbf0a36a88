import { fixedPacks } from '#contracts';
import {
  type Books,
  Invoicing,
  Payments,
  Records,
  Returns as StandInReturns,
  type Session,
} from '#stripe-stand-in';
import { planReturn } from '../../credits/plan-return.js';
import { type Order } from '../order.entity.js';
import { readEvent } from '../provider/read-event.js';
import { orderOf, readPayment, type Returns, returnedCents } from '../provider/read-payment.js';
import { applyPaymentState } from '../rules/apply-payment-state.js';
import { creditsOwed, paidCents } from '../rules/credits-to-return.js';
import { type PaymentState } from '../rules/payment-state.js';
import {
  type Bought,
  type DeliveryChannel,
  type OrderBooks,
  type PlayableOrders,
  type Readable,
  type Step,
} from './history.fixture.js';
import { applyShopEvent, type ShopEvent, truthOf } from './shop-events.fixture.js';

const lifetimeHours = 30 * 24;

interface MemoryLot {
  readonly expiresAt: number;
  remaining: number;
  /** Taken by calls, and not returned. */
  spent: number;
  expired: number;
}

/** What the rules read and write of a stored order. */
type StoredColumns =
  | ('id' | 'state' | 'credits' | 'priceCents' | 'totalCents' | 'checkoutSessionId' | 'paymentIntentId')
  | ('returnedCents' | 'creditsTakenBack' | 'creditsNotRecovered' | 'returnsPending')
  | ('refreshes' | 'refreshApplied' | 'problem' | 'problemSessions' | 'resolution');

type MemoryOrder = { -readonly [Column in StoredColumns]: Order[Column] } & {
  readonly isMispriced: boolean;
  readonly session: Session;
  readonly lots: MemoryLot[];
  readonly adjustments: number[];
};

/** A question to Stripe in progress: it reads the session, then what went back, and then is applied. */
interface Question {
  readonly order: MemoryOrder;
  readonly number: number;
  session?: Session;
  payment?: PaymentState;
}

/** The rules of billing on orders in memory, which follow the books of a stand-in one step at a time. */
export class MemoryOrders implements PlayableOrders {
  private readonly all: MemoryOrder[] = [];
  private questions: Question[] = [];
  private readonly calls: { readonly lot: MemoryLot; readonly credits: number }[] = [];
  private hour = 0;
  private readable: Readable = 'all';
  private readonly books: Books;

  constructor() {
    const records = new Records();
    const origin = () => 'http://localhost';
    const invoicing = new Invoicing(records, origin);
    const payments = new Payments(records, origin, invoicing);
    this.books = { records, invoicing, payments, returns: new StandInReturns(records) };
  }

  begin(bought: readonly Bought[]): void {
    for (const one of bought) this.start(one);
  }

  take(step: Step): void {
    switch (step.kind) {
      case 'shop_event':
        return this.happen(step.event);
      case 'deliver':
        for (const channel of step.channels) this.listen(channel);
        for (const event of step.meanwhile) this.happen(event);
        return;
      case 'proceed':
        return this.proceed(step.number);
      case 'lose':
        this.questions.splice(step.number % Math.max(1, this.questions.length), 1);
        return;
      case 'spend':
        return this.spend(step.credits);
      case 'end_call':
        return this.endCall(step.outcome);
      case 'hours':
        this.hour += step.hours;
        return this.endAllCalls();
      case 'deliver_all':
        this.listen({ by: 'reconciliation' });
        return this.finishQuestions();
      case 'sweep':
        return this.sweep();
      case 'readable':
        this.readable = step.what;
    }
  }

  /** Questions in progress get their answers first. */
  finish(): void {
    this.readable = 'all';
    this.finishQuestions();
    this.take({ kind: 'deliver_all' });
    this.endAllCalls();
    this.sweep();
  }

  orders(): OrderBooks[] {
    return this.all.map((order) => ({
      ...order,
      truth: truthOf(this.books, order.session.id),
      lots: order.lots.map((lot) => ({
        remaining: lot.remaining,
        spent: lot.spent,
        taken: order.adjustments.reduce((sum, change) => sum - change, 0),
        expired: lot.expired,
        isOpen: this.isOpen(lot),
      })),
    }));
  }

  private happen(event: ShopEvent): void {
    applyShopEvent(this.books, this.orderOf(event.order).session, event);
  }

  private start({ pack, isMispriced }: Bought): void {
    const terms = fixedPacks[pack];
    const id = `order ${this.all.length}`;
    const session = this.books.payments.create({
      amount: terms.priceCents - (isMispriced ? 100 : 0),
      currency: 'usd',
      success_url: 'https://site.example',

      client_reference_id: id,
      metadata: { order_id: id },
    });
    this.all.push({
      id,
      isMispriced,
      credits: terms.credits,
      priceCents: terms.priceCents,
      totalCents: null,
      session,
      lots: [],
      state: 'open',
      checkoutSessionId: this.all.length % 2 === 0 ? session.id : null,
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
  private orderOf(number: number): MemoryOrder {
    const order = this.all[number % this.all.length];
    if (!order) throw new Error('there is no order');
    return order;
  }

  /** Begins to ask about the orders that are concerned. */
  private listen(channel: DeliveryChannel): void {
    const asked =
      channel.by === 'event'
        ? this.ofEvent(channel.event)
        : channel.by === 'return_page'
          ? [this.orderOf(channel.order)]
          : this.all.filter((order) => order.state !== 'granted' || this.isReturnUnknown(order));
    for (const order of asked) this.questions.push({ order, number: ++order.refreshes });
  }

  /** One of the questions goes one step further. */
  private proceed(number: number): void {
    const question = this.questions[number % Math.max(1, this.questions.length)];
    if (!question) return;
    if (!question.session) {
      question.session = structuredClone(this.books.records.session(question.order.session.id));
    } else if (!question.payment) question.payment = this.read(question.session);
    else {
      this.apply(question.order, question.number, question.payment);
      this.questions = this.questions.filter((other) => other !== question);
    }
  }

  /** All questions are answered, in an order of their own. */
  private finishQuestions(): void {
    for (let number = 0; this.questions.length > 0; number++) this.proceed(number);
  }

  private spend(credits: number): void {
    const lot = this.all.flatMap(({ lots }) => lots).find((one) => this.isOpen(one) && one.remaining > 0);
    if (!lot) return;
    const taken = Math.min(lot.remaining, credits);
    lot.remaining -= taken;
    lot.spent += taken;
    this.calls.push({ lot, credits: taken });
  }

  /** The oldest pending call ends; a void returns its credits, which are gone if the lot has expired. */
  private endCall(outcome: 'posted' | 'voided'): void {
    const call = this.calls.shift();
    if (!call || outcome === 'posted') return;
    call.lot.remaining += call.credits;
    call.lot.spent -= call.credits;
  }

  /** Every pending call times out. */
  private endAllCalls(): void {
    while (this.calls.length > 0) this.endCall('voided');
  }

  /** Takes what can be taken by now, and records what has expired. */
  private sweep(): void {
    for (const order of this.all) {
      this.settle(order, order.returnedCents);
      for (const lot of order.lots) {
        if (this.isOpen(lot)) continue;
        lot.expired += lot.remaining;
        lot.remaining = 0;
      }
    }
  }

  private isOpen({ expiresAt }: MemoryLot): boolean {
    return expiresAt > this.hour;
  }

  /** Finds an order as billing does: by what it has stored, or by what Stripe knows of the session. */
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
    const stored = this.all.find(
      ({ checkoutSessionId, paymentIntentId }) =>
        (kind === 'session' ? checkoutSessionId : paymentIntentId) === id,
    );
    const found = stored ?? this.all.find((order) => session && order.id === orderOf(session));
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
    if (change.kind === 'second_payment') throw new Error('no order is paid twice');
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
      order.lots.push({
        expiresAt: this.hour + lifetimeHours,
        remaining: order.credits,
        spent: 0,
        expired: 0,
      });
    }
    this.settle(order, change.returnedCents);
  }

  private settle(order: MemoryOrder, returnedCents: number): void {
    order.returnedCents = returnedCents;
    const [lot] = order.lots;
    if (!lot) return;
    const owed = creditsOwed({ ...order, paidCents: paidCents(order) });
    const { creditsTakenBack } = order;
    const plan = planReturn(
      { owed, creditsTakenBack },
      { remaining: lot.remaining, isExpired: !this.isOpen(lot) },
    );
    lot.remaining += plan.change;
    if (plan.change !== 0) order.adjustments.push(plan.change);
    order.creditsTakenBack = plan.creditsTakenBack;
    order.creditsNotRecovered = plan.creditsNotRecovered;
    if (lot.remaining < 0 || lot.remaining > order.credits) throw new Error('the lot is out of its bounds');
  }
}
