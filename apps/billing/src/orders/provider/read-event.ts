import { subscribedEvents } from '#checkout';
import { isRecord } from '#contracts';

/** The session or payment that an event is about, by which its order is found. */
export interface EventSubject {
  readonly kind: 'session' | 'payment';
  readonly id: string;
}

/** An event that may concern an order. The rest is not read, because events may be old or come twice. */
export interface KnownEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: EventSubject;
}

/**
 * Why an event concerns no order: another type, of another account (Connect), without the object that it is about (Stripe's
 * "thin" payloads), or of a payment that no session has made.
 */
export const unconcerned = ['other_type', 'other_account', 'without_object', 'other_payment'] as const;
export type Unconcerned = (typeof unconcerned)[number];

const subscribed = new Set<string>(subscribedEvents);
/** Stripe documents its ids as up to 255 characters. */
const idPattern = /^\w{1,255}$/;

/** Reads an event that was signed or listed; `null` for anything that is not an event. */
export function readEvent(event: unknown): KnownEvent | Unconcerned | null {
  if (!isRecord(event) || typeof event.type !== 'string') return null;
  const id = idOf(event, 'id');
  if (id === null) return null;
  if (!subscribed.has(event.type)) return 'other_type';
  if (typeof event.account === 'string') return 'other_account';
  const object = isRecord(event.data) ? event.data.object : undefined;
  if (!isRecord(object)) return 'without_object';
  const kind = event.type.startsWith('checkout.session.') ? 'session' : 'payment';
  const subjectId = idOf(object, kind === 'session' ? 'id' : 'payment_intent');
  return subjectId === null ? 'other_payment' : { id, type: event.type, subject: { kind, id: subjectId } };
}

function idOf(object: Record<string, unknown>, name: string): string | null {
  const value = object[name];
  return typeof value === 'string' && idPattern.test(value) ? value : null;
}
