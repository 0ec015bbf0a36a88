import { EventEmitter } from 'node:events';
import {
  newId,
  type Charge,
  type Customer,
  type Dispute,
  type Invoice,
  type PaymentIntent,
  type Refund,
  type Session,
  type StandInEvent,
  type StripeObject,
} from './objects.js';
import { StandInError } from './stand-in-error.js';

/** All objects of the stand-in, in memory, and the events about them. */
export class Records {
  /** The events to which the webhook endpoint of the shop is subscribed. */
  readonly shop = { enabledEvents: ['*'] };
  readonly sessions = new Map<string, Session>();
  readonly paymentIntents = new Map<string, PaymentIntent>();
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly customers = new Map<string, Customer>();
  readonly invoices = new Map<string, Invoice>();
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

  /** Records an event with the object as it is now. */
  emit(type: string, object: StripeObject): void {
    const event: StandInEvent = {
      id: newId('evt'),
      object: 'event',
      created: this.now,
      data: { object: structuredClone(object) },
      type,
    };
    this.events.set(event.id, event);
    this.emitter.emit('event', event);
  }

  // The objects by their ids; each throws when there is none.
  readonly session = (id: string): Session => found('checkout.session', id, this.sessions);
  readonly customer = (id: string): Customer => found('customer', id, this.customers);
  readonly invoice = (id: string): Invoice => found('invoice', id, this.invoices);
  readonly paymentIntent = (id: string): PaymentIntent => found('payment_intent', id, this.paymentIntents);
  readonly charge = (id: string): Charge => found('charge', id, this.charges);
  readonly refund = (id: string): Refund => found('refund', id, this.refunds);
  readonly dispute = (id: string): Dispute => found('dispute', id, this.disputes);
}

function found<Found>(kind: string, id: string, objects: ReadonlyMap<string, Found>): Found {
  const object = objects.get(id);
  if (object !== undefined) return object;
  throw new StandInError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param: 'id' });
}
