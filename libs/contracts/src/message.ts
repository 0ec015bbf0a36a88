import { type ErrorDetails, ServiceError } from './errors.js';
import { Integer, Text } from './shape/fields.js';
import { isRecord } from './shape/formats.js';
import { readShape } from './shape/read-shape.js';
import { type ShapeClass } from './shape/shape.js';

/** The services that answer messages. Each owns the queues `rpc:{service}:...`. */
export const serviceNames = ['billing', 'catalog'] as const;
export type ServiceName = (typeof serviceNames)[number];

/**
 * `requests` is bounded: when full, it answers `unavailable` at once.
 * `settlements` carries posts and voids of charges and is never shed.
 */
export type QueueName = 'requests' | 'settlements';

/** A value together with bytes that cross the transport unchanged: JSON ready to send, or a chunk of NDJSON. */
export class WithBytes<Value> {
  constructor(
    readonly value: Value,
    readonly bytes: Buffer,
  ) {}
}

/** A class whose fields carry decorators of `shape/fields.ts`: the type of a payload and its description in one. */
export type PayloadClass<Payload extends object = object> = ShapeClass<Payload>;

/** A payload that does not match its description; `details` names each invalid field. */
export class InvalidPayloadError extends ServiceError {
  constructor(details: ErrorDetails) {
    super('invalid_request', `The request is not valid: ${Object.values(details).flat().join('; ')}.`, {
      details,
    });
  }
}

/**
 * The described fields of `value` as a `Payload`. Unknown fields are dropped, not refused: during a roll-out a newer
 * sender may send more than an older service knows. Throws `InvalidPayloadError`.
 */
export function readPayload<Payload extends object>(Class: PayloadClass<Payload>, value: unknown): Payload {
  if (!isRecord(value)) throw new InvalidPayloadError({ payload: ['the payload must be a JSON object'] });
  const { shape, details } = readShape(Class, value, { strict: false });
  if (details) throw new InvalidPayloadError(details);
  return shape;
}

/** Whether `value` matches the description of `Class`. */
export function isPayload<Payload extends object>(
  Class: PayloadClass<Payload>,
  value: unknown,
): value is Payload {
  return isRecord(value) && readShape(Class, value, { strict: false }).details === undefined;
}

/** The payload of a message without fields; anything sent is ignored. */
export class NoPayload {}

/** The part of a payload that has a description: all but the bytes. */
type Described<Payload> = Payload extends WithBytes<infer Value> ? Value : Payload;

/** One request/reply message: its name, how long its caller waits, and when it may be resent. */
export interface MessageContract<Request, Reply> {
  /** `service.verb_noun`, the string given to `@MessagePattern`. */
  readonly pattern: string;
  readonly service: ServiceName;
  /** Describes the payload; for a `WithBytes`, its value. */
  readonly payload: PayloadClass;
  readonly queue: QueueName;
  /** This many ms after it was sent, the caller gives up and a server drops the request. */
  readonly deadlineMs: number;
  /**
   * An unanswered request is resent once after this many ms; `null`: never. The first delivery may run as late as after
   * the second was confirmed and newer changes were made. So only messages harmless at that moment may be sent twice:
   * reads, and messages with one outcome for an id or a reference of the caller.
   */
  readonly resendAfterMs: number | null;
  /** Only for the compiler: carries the payload types; never set. */
  readonly types?: { request: Request; reply: Reply };
}

/** An event that reaches every connected replica of every subscriber; delivery is best effort. */
export interface BroadcastContract<Payload> {
  readonly event: string;
  /** Describes the payload. */
  readonly payload: PayloadClass;
  /** Only for the compiler: carries the payload type; never set. */
  readonly types?: { payload: Payload };
}

/**
 * For changes that are harmful when applied late: a stalled delivery would undo a newer change. Their handlers refuse
 * to commit once the caller has given up.
 */
export const neverResent = { resendAfterMs: null } as const;

interface MessageOptions {
  readonly queue?: QueueName;
  readonly deadlineMs?: number;
  readonly resendAfterMs?: number | null;
}

/**
 * Declares a message of `service`. Unless `options` say otherwise, its deadline is 5,000 ms, and it is resent once after 1,000 ms.
 * `payload` is the class of `Request`, by which the receiver validates it.
 */
export function message<Request, Reply>(
  service: ServiceName,
  name: string,
  payload: PayloadClass<Described<Request> & object>,
  options: MessageOptions = {},
): MessageContract<Request, Reply> {
  const { queue = 'requests', deadlineMs = 5_000, resendAfterMs = 1_000 } = options;
  return { pattern: `${service}.${name}`, service, payload, queue, deadlineMs, resendAfterMs };
}

const messagesTo =
  (service: ServiceName) =>
  <Reply>() =>
  <Request extends object>(name: string, payload: PayloadClass<Request>, options?: MessageOptions) =>
    message<Request, Reply>(service, name, payload as PayloadClass<Described<Request> & object>, options);

/** Declares a message of billing whose payload is no more than its class: `toBilling<Reply>()('verb_noun', Request)`. */
export const toBilling = messagesTo('billing');
/** Declares a message to the catalog. */
export const toCatalog = messagesTo('catalog');

/** Declares a broadcast event. */
export function broadcast<Payload>(
  event: string,
  payload: PayloadClass<Payload & object>,
): BroadcastContract<Payload> {
  return { event, payload };
}

/** A reply that says only that something is done, for example `{ deleted: true }`. */
export type Done<What extends string> = Readonly<Record<What, true>>;

/** A page of a list, of the admin API too: at most `limit` rows after the opaque `cursor` of the previous page. */
export class PageRequest {
  @Integer({ min: 1, max: 200, default: 50 })
  readonly limit: number;

  @Text({ max: 500, optional: true })
  readonly cursor?: string;
}

/** One page; `next_cursor` is `null` on the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}
