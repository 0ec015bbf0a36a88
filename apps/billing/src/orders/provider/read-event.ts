import { subscribedEvents } from '@app/checkout';

/** What an event is about: how the order is found whose payment may have changed. */
export type EventSubject =
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'payment'; readonly paymentIntentId: string };

/** Of an event of Stripe, what is read of it. */
export interface EventFacts {
  readonly type: string;
  readonly data: { readonly object: object };
}

const subscribed = new Set<string>(subscribedEvents);

/** `null` for an event that concerns no order. Nothing else is read of an event: it may be old, or come twice. */
export function readEvent({ type, data: { object } }: EventFacts): EventSubject | null {
  if (!subscribed.has(type)) return null;
  if (type.startsWith('checkout.session.')) {
    const id = textOf(object, 'id');
    return id === null ? null : { kind: 'session', sessionId: id };
  }
  const intent = textOf(object, 'payment_intent');
  return intent === null ? null : { kind: 'payment', paymentIntentId: intent };
}

function textOf(object: object, name: string): string | null {
  const value: unknown = Reflect.get(object, name);
  return typeof value === 'string' ? value : null;
}
