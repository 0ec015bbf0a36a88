import { type PayloadClass } from './validation/read-payload.js';

/** The services that answer messages. Each owns the queue `rpc:{service}`. */
export const serviceNames = ['billing', 'catalog'] as const;
export type ServiceName = (typeof serviceNames)[number];

/**
 * `requests` is bounded: a full one answers `unavailable` at once.
 * `settlements` carries posts and voids of charges and is never shed.
 */
export type QueueName = 'requests' | 'settlements';

/** A value together with bytes that cross the transport untouched: JSON that is ready to send, or a chunk of NDJSON. */
export class WithBytes<Value> {
  constructor(
    readonly value: Value,
    readonly bytes: Buffer,
  ) {}
}

/** Of a message that says all with its name; what is sent beside it is not read. */
export class NoPayload {}

/** What is described of a payload: all of it but bytes. */
type Described<Payload> = Payload extends WithBytes<infer Value> ? Value : Payload;

/** One request/reply message: its name, how long its caller waits, and when it may be sent a second time. */
export interface MessageContract<Request, Reply> {
  /** `service.verb_noun`, the string given to `@MessagePattern`. */
  readonly pattern: string;
  readonly service: ServiceName;
  /** Describes what is sent; of a `WithBytes` its value. */
  readonly payload: PayloadClass;
  readonly queue: QueueName;
  /** The caller gives up, and a server drops the request, this many ms after it was sent. */
  readonly deadlineMs: number;
  /**
   * An unanswered request is sent once more after this many ms; `null`: never. The first delivery may still run then, after
   * the second was confirmed and newer changes were made. So only what is harmless at that moment may be sent twice: what
   * reads, and what names its outcome by an id or a reference of the caller's.
   */
  readonly resendAfterMs: number | null;
  /** Carries the payload types for the compiler; never set. */
  readonly types?: { request: Request; reply: Reply };
}

/** An event that reaches every connected replica of every subscriber; delivery is best effort. */
export interface BroadcastContract<Payload> {
  readonly event: string;
  /** Describes what is sent. */
  readonly payload: PayloadClass;
  /** Carries the payload type for the compiler; never set. */
  readonly types?: { payload: Payload };
}

/**
 * For changes that are not harmless when they are applied late: the delivery that stalled would undo a newer change. Their
 * handlers refuse to commit once the caller has given up.
 */
export const neverResent = { resendAfterMs: null } as const;

interface MessageOptions {
  readonly queue?: QueueName;
  readonly deadlineMs?: number;
  readonly resendAfterMs?: number | null;
}

/**
 * Declares a message of `service` with the defaults of 5,000 ms to its deadline and one resend after 1,000 ms. `payload` is the
 * class of `Request`, by which its receiver validates what was sent.
 */
export function message<Request, Reply>(
  service: ServiceName,
  name: string,
  payload: PayloadClass<Described<Request> & object>,
  options: MessageOptions = {},
): MessageContract<Request, Reply> {
  return {
    pattern: `${service}.${name}`,
    service,
    payload,
    queue: options.queue ?? 'requests',
    deadlineMs: options.deadlineMs ?? 5_000,
    resendAfterMs: options.resendAfterMs === undefined ? 1_000 : options.resendAfterMs,
  };
}

/** Declares a broadcast event. */
export function broadcast<Payload>(
  event: string,
  payload: PayloadClass<Payload & object>,
): BroadcastContract<Payload> {
  return { event, payload };
}
