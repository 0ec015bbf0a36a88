import { type PayloadClass } from './payload.js';

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
   * those that read, and those with one outcome for an id or a reference of the caller.
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
 * Declares a message of `service` with the defaults of 5,000 ms to its deadline and one resend after 1,000 ms.
 * `payload` is the class of `Request`, by which the receiver validates it.
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
