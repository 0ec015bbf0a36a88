import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  type Door,
  type ErrorPayload,
  InvalidPayloadError,
  maySend,
  messageRevision,
  type Operator,
  type QueueName,
  ServiceError,
} from '#contracts';
import {
  contextOf,
  counter,
  databaseCode,
  gauges,
  histogram,
  inSpan,
  type Logger,
  LogLimit,
  messageOf,
  SpanKind,
  writeProblem,
} from '#platform';
import { BaseRpcContext, type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { internal } from '../transport-errors.js';
import { encodeFrame, readDeadline, readRequest, replyBytesMax, type RequestFrame } from '../frames.js';
import {
  connectRedis,
  corkWrites,
  createRedis,
  type RedisConnection,
  subscribeChannels,
} from '../redis/create-redis.js';
import { keys } from '../redis/keys.js';
import { startLease } from './lease.js';
import { QueueReader } from './queue-reader.js';
import { RedisClock } from './redis-clock.js';

/** The context sent with a message, in addition to its payload. */
export class MessageContext extends BaseRpcContext<[]> {
  constructor(
    readonly requestId: string,
    /** Time until the caller's time-out, ms; negative after it. */
    readonly remainingMs: () => number,
    /** W3C trace context of the sender. */
    readonly traceparent?: string,
    /** The operator who has asked, and by which HTTP request; absent: no operator. */
    readonly operator?: Operator & { readonly requestId: string },
  ) {
    super([]);
  }
}

interface RedisServerOptions {
  readonly redisUrl: string;
  /** The service whose queues `rpc:{service}:...` are read. Without message handlers it only receives broadcasts. */
  readonly service: string;
  readonly logger: Logger;
  /** The newest revision of the messages that this replica knows. Default: that of this version. */
  readonly revision?: number;
}

/**
 * `subscribed`: to broadcasts, first or again; events may have been missed before. `closing`: no new message is taken
 * from now on, those taken are finished.
 */
type RedisServerEvents = Record<'subscribed' | 'closing', () => void>;

const handling = histogram(
  'message_handle_duration_seconds',
  'Duration of messages, from being taken to the reply.',
  ['pattern', 'outcome'],
);
const queueWait = histogram(
  'message_queue_wait_seconds',
  'Age of messages when they are taken from their queue.',
  ['queue'],
);
const late = counter('messages_late_total', 'Messages that were past their deadline when they were taken.', [
  'queue',
]);

interface Queue {
  readonly door: Door;
  readonly queue: QueueName;
  /** Requests of it that run at once. */
  readonly concurrency: number;
}

/** The website's bound has room for more than all purchases and views of orders that may wait for Stripe. */
const queues: readonly Queue[] = [
  { door: 'gateway', queue: 'requests', concurrency: 64 },
  { door: 'gateway', queue: 'settlements', concurrency: 64 },
  { door: 'website', queue: 'requests', concurrency: 24 },
];
const nameOf = ({ door, queue }: Queue): string => `${door}:${queue}`;

/**
 * Runs a service's message handlers on requests from its Redis queues, and its event handlers on broadcasts. A request that may not
 * come through its door is `forbidden` and does not run.
 */
export class RedisServer extends Server<RedisServerEvents> implements CustomTransportStrategy {
  private readonly commands: RedisConnection;
  private readonly subscriber: RedisConnection;
  private readonly clock: RedisClock;
  private endLease = (): void => undefined;
  private readers: QueueReader[] = [];
  private readonly logLimit = new LogLimit();
  private readonly events = new EventEmitter();

  constructor(private readonly options: RedisServerOptions) {
    super();
    const { redisUrl, logger } = options;
    this.commands = createRedis(redisUrl, logger);
    this.subscriber = createRedis(redisUrl, logger);
    this.clock = new RedisClock(this.commands, options.service);
  }

  listen(callback: (error?: unknown) => void): void {
    this.start().then(() => callback(), callback);
  }

  /** Takes no new work, finishes and answers the messages taken, and lets its lease expire. */
  async close(): Promise<void> {
    this.events.emit('closing');
    this.endLease();
    await Promise.all(this.readers.map((reader) => reader.stop()));
    this.clock.stop();
    this.subscriber.disconnect();
    // Everything published has been sent before the connection, and those to the sentinels, are closed.
    if (this.commands.status === 'ready') await this.commands.quit();
    this.commands.disconnect();
  }

  on<Event extends keyof RedisServerEvents>(event: Event, listener: RedisServerEvents[Event]): void {
    this.events.on(event, listener);
  }

  /**
   * Nest's own implementation parses every pattern as JSON first, which creates and discards an error for each of ours.
   */
  override getHandlerByPattern(pattern: string) {
    return this.messageHandlers.get(pattern) ?? null;
  }

  unwrap<Connection>(): Connection {
    return this.commands as Connection;
  }

  /** Whether requests and broadcasts can currently arrive. */
  get isReady(): boolean {
    return this.commands.status === 'ready' && this.subscriber.status === 'ready';
  }

  private async start(): Promise<void> {
    const { service, revision = messageRevision, logger } = this.options;
    await Promise.all([connectRedis(this.commands, logger), connectRedis(this.subscriber, logger)]);
    await this.subscribeToBroadcasts();
    const answers = [...this.messageHandlers.values()].some((handler) => !handler.isEventHandler);
    if (!answers) return;
    await this.clock.start();
    this.endLease = await startLease(this.commands, { service, revision, replicaId: randomUUID() });
    this.readers = queues.map((queue) => this.readerOf(queue));
    this.observeQueues();
    for (const reader of this.readers) reader.start();
  }

  private readerOf(from: Queue): QueueReader {
    const { redisUrl, service, logger } = this.options;
    return new QueueReader(createRedis(redisUrl, logger), {
      queue: keys.queue(service, from.door, from.queue),
      concurrency: from.concurrency,
      logger,
      onRequest: (item) => this.onRequest(item, from),
    });
  }

  private observeQueues(): void {
    gauges('message_queue_depth', 'Messages waiting in the queues of this service.', 'queue', async () => {
      const { service } = this.options;
      const depths = queues.map(
        async (from) =>
          [nameOf(from), await this.commands.llen(keys.queue(service, from.door, from.queue))] as const,
      );
      return Object.fromEntries(await Promise.all(depths));
    });
  }

  private async subscribeToBroadcasts(): Promise<void> {
    const events = [...this.messageHandlers]
      .filter(([, handler]) => handler.isEventHandler)
      .map(([pattern]) => pattern);
    const channels = new Map(events.map((event) => [keys.broadcastChannel(event), event]));
    await subscribeChannels(this.subscriber, [...channels.keys()], {
      onMessage: (channel, message) => {
        const event = channels.get(channel);
        if (event !== undefined) void this.onBroadcast(event, message.toString());
      },
      onSubscribed: () => this.events.emit('subscribed'),
      onFailed: (error) => this.options.logger.warn({ err: error }, 'not subscribed to broadcasts'),
    });
  }

  /** Never throws: there is no caller to answer. */
  private async onBroadcast(event: string, text: string): Promise<void> {
    const context = new MessageContext(randomUUID(), () => 0);
    try {
      await this.handle(event, JSON.parse(text), context);
    } catch (error) {
      this.options.logger.error({ err: error, event }, 'broadcast not handled');
    }
  }

  /** Runs one request and publishes its reply. Never throws: without a reply, the caller's deadline ends its wait. */
  private async onRequest(item: Buffer, from: Queue): Promise<void> {
    const queue = nameOf(from);
    try {
      const { deadline, bytes } = readDeadline(item);
      const now = this.clock.now();
      if (now >= deadline) return late.inc({ queue });
      const frame = readRequest(bytes);
      if (!frame.replyTo.startsWith(keys.replyChannel(this.options.service, from.door, ''))) {
        throw new Error('a request for the answers of another door');
      }
      if (frame.budgetMs !== undefined) {
        queueWait.observe({ queue }, Math.max(0, now - deadline + frame.budgetMs) / 1_000);
      }
      const reply = await this.run(frame, from.door, () => deadline - this.clock.now());
      corkWrites(this.commands);
      await this.commands.spublish(frame.replyTo, reply);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'a request could not be answered');
    }
  }

  private async run(frame: RequestFrame, door: Door, remainingMs: () => number): Promise<Buffer> {
    const { id, pattern, requestId, traceparent, operator } = frame;
    const known = this.getHandlerByPattern(pattern) ? pattern : 'unknown';
    const end = handling.startTimer({ pattern: known });
    try {
      if (!maySend(door, frame)) throw this.refusal({ door, pattern: known, request_id: requestId });
      const asking = operator && { ...operator, requestId };
      const context = new MessageContext(requestId, remainingMs, traceparent, asking);
      const parent = contextOf(traceparent);
      const options = { kind: SpanKind.SERVER, parent };
      const data = await inSpan(
        `handle ${known}`,
        { request_id: requestId },
        () => this.handle(pattern, frame.data, context),
        options,
      );
      const reply = encodeFrame({ id, data: data ?? null });
      if (reply.length > replyBytesMax) throw new Error(`the reply has ${reply.length} bytes`);
      end({ outcome: 'ok' });
      return reply;
    } catch (error) {
      const payload = this.toPayload(error, frame);
      end({ outcome: payload.code });
      return encodeFrame({ id, error: payload });
    }
  }

  /** Rethrows the handler's error, which Nest's own `handleEvent` loses. */
  private async handle(pattern: string, payload: unknown, context: MessageContext): Promise<unknown> {
    const handler = this.getHandlerByPattern(pattern);
    if (!handler) throw new Error(`no handler for ${pattern}`);
    const result = this.transformToObservable(await handler(payload, context));
    const data: unknown = await lastValueFrom(result, { defaultValue: null });
    return data;
  }

  /** Logged once a second at most: a sender of one can send many. */
  private refusal(request: object): ServiceError {
    if (this.logLimit.allows('refusal')) {
      this.options.logger.warn(request, 'a request was refused: it may not come through this door');
    }
    return new ServiceError('forbidden', 'This is not allowed.');
  }

  /** Logs the reason of a fault on our side, and informs operators when the database can't be written to. */
  private toPayload(error: unknown, { pattern, requestId, operator }: RequestFrame): ErrorPayload {
    if (error instanceof InvalidPayloadError) {
      const { details } = error;
      this.options.logger.warn({ pattern, request_id: requestId, details }, 'a payload was refused');
    }
    const isExpected = error instanceof ServiceError;
    const reason = isExpected ? error.cause : error;
    const isFault = !isExpected || error.code === 'unavailable' || error.code === 'internal';
    const known = this.getHandlerByPattern(pattern) ? pattern : 'unknown';
    if (isFault && reason !== undefined && this.logLimit.allows(`${known} ${databaseCode(reason)}`)) {
      const fields = isExpected ? { reason: messageOf(reason) } : { err: reason };
      this.options.logger.error({ ...fields, pattern, request_id: requestId }, 'a message handler failed');
    }
    const payload = isExpected ? error.toPayload() : internal().toPayload();
    const problem = operator && isFault ? writeProblem(reason) : null;
    return problem === null ? payload : { ...payload, details: { database: [problem] } };
  }
}
