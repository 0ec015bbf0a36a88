import { EventEmitter } from 'node:events';
import { StandInError } from './stand-in-error.js';
import { ShopAccount } from './shop-account.js';
import {
  newId,
  type BalanceTransaction,
  type Charge,
  type Dispute,
  type FraudWarning,
  type PaymentIntent,
  type Refund,
  type Session,
  type StandInEvent,
  type StripeObject,
} from './objects.js';

/** The version of the API whose objects these are. */
const apiVersion = '2026-10-28.endive';

const eventsKeptS = 30 * 86_400;

/** Everything that the stand-in knows, in memory, and the events that tell of it. */
export class Records {
  readonly shop = new ShopAccount();
  readonly sessions = new Map<string, Session>();
  readonly paymentIntents = new Map<string, PaymentIntent>();
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly fraudWarnings = new Map<string, FraudWarning>();
  readonly balanceTransactions = new Map<string, BalanceTransaction>();
  readonly events = new Map<string, StandInEvent>();
  private readonly emitter = new EventEmitter();

  /** Seconds since the epoch, as Stripe counts. */
  get now(): number {
    return Math.floor(Date.now() / 1_000);
  }

  /** Calls `listener` for each new event. */
  onEvent(listener: (event: StandInEvent) => void): void {
    this.emitter.on('event', listener);
  }

  /** Tells what has become of an object. */
  tell(type: string, object: StripeObject): void {
    const event: StandInEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: apiVersion,
      created: this.now,
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
    };
    this.events.set(event.id, event);
    this.emitter.emit('event', event);
  }

  session(id: string): Session {
    return found('checkout.session', id, this.sessions.get(id));
  }

  paymentIntent(id: string): PaymentIntent {
    return found('payment_intent', id, this.paymentIntents.get(id));
  }

  charge(id: string): Charge {
    return found('charge', id, this.charges.get(id));
  }

  refund(id: string): Refund {
    return found('refund', id, this.refunds.get(id));
  }

  dispute(id: string): Dispute {
    return found('dispute', id, this.disputes.get(id));
  }

  balanceTransaction(id: string): BalanceTransaction {
    return found('balance_transaction', id, this.balanceTransactions.get(id));
  }

  /** An event that Stripe still keeps. */
  event(id: string): StandInEvent {
    return found('event', id, this.keptEvents.get(id));
  }

  /** Those that can be asked for: of the last 30 days. */
  get keptEvents(): Map<string, StandInEvent> {
    const since = this.now - eventsKeptS;
    return new Map([...this.events].filter(([, { created }]) => created >= since));
  }

  /** Money that enters the shop's balance, or leaves it. No fees are taken here. */
  addBalanceTransaction(given: Pick<BalanceTransaction, 'amount' | 'currency' | 'type'>): BalanceTransaction {
    const transaction: BalanceTransaction = {
      id: newId('txn'),
      object: 'balance_transaction',
      created: this.now,
      fee: 0,
      net: given.amount,
      ...given,
    };
    this.balanceTransactions.set(transaction.id, transaction);
    return transaction;
  }
}

function found<Found>(kind: string, id: string, object: Found | undefined): Found {
  if (object !== undefined) return object;
  throw new StandInError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param: 'id' });
}
