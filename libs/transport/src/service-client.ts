import { randomUUID } from 'node:crypto';
import {
  type BroadcastContract,
  type MessageContract,
  type QueueName,
  ServiceError,
  type ServiceName,
  serviceNames,
} from '@app/contracts';
import { counter, currentTraceparent, inSpan, type Logger, histogram } from '@app/platform';
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import { connectRedis, createRedis, type RedisConnection } from './create-redis.js';
import { encodeFrame, type RequestFrame } from './frame.js';
import { subscribeChannels } from './subscribe-channels.js';
import { internal } from './internal.js';
import { keys } from './keys.js';
import { MalformedReply, readReply } from './read-reply.js';
import { Sender, unavailable } from './sender.js';

export interface ServiceClientOptions {
  readonly redisUrl: string;
  readonly logger: Logger;
  /** A queue of requests that holds as many answers `unavailable`. */
  readonly queueMax?: number;
  /** The services whose replies it hears. Default: all; none: it only broadcasts. */
  readonly asks?: readonly ServiceName[];
}

/** What travels with a request. `deadlineMs` may shorten the contract's own. */
export interface RequestContext {
  readonly requestId: string;
  readonly traceparent?: string;
  readonly deadlineMs?: number;
}

interface Waiting {
  readonly replyTo: string;
  readonly resolve: (data: unknown) => void;
  readonly reject: (error: ServiceError) => void;
  timer: NodeJS.Timeout;
}

interface Exchange {
  readonly frame: Buffer;
  readonly id: string;
  readonly replyTo: string;
  readonly pattern: string;
  readonly service: string;
  readonly queue: QueueName;
  readonly resendAfterMs: number | null;
  /** On the monotonic clock of this process. */
  readonly deadline: number;
}

const duration = histogram(
  'message_request_duration_seconds',
  'Requests to other services, until the reply.',
  ['service', 'pattern', 'outcome'],
);
const resends = counter('message_resends_total', 'Requests that were sent a second time.', [
  'service',
  'pattern',
]);

const defaultQueueMax = 2_000;
const resendRetryMs = 100;

/**
 * Asks other services over Redis. Each process has one: one connection that writes, one that hears the replies. After a
 * lost connection both come back by themselves.
 */
export class ServiceClient extends ClientProxy {
  private readonly commands: RedisConnection;
  private readonly replies: RedisConnection;
  private readonly sender: Sender;
  private readonly replyChannels: ReadonlyMap<string, string>;
  private readonly waiting = new Map<string, Waiting>();
  private connecting?: Promise<void>;
  private sequence = 0;

  constructor(private readonly options: ServiceClientOptions) {
    super();
    this.commands = createRedis(options.redisUrl, options.logger);
    this.replies = createRedis(options.redisUrl, options.logger);
    this.sender = new Sender(this.commands, options.queueMax ?? defaultQueueMax);
    const clientId = randomUUID();
    this.replyChannels = new Map(
      (options.asks ?? serviceNames).map((service) => [service, keys.replyChannel(service, clientId)]),
    );
  }

  /** Resolves when Redis has answered and replies can arrive; waits for a Redis that is late. */
  connect(): Promise<void> {
    this.connecting ??= this.hearReplies();
    return this.connecting;
  }

  async close(): Promise<void> {
    for (const id of this.waiting.keys()) this.takePending(id)?.reject(unavailable('the client was closed'));
    this.commands.disconnect();
    this.replies.disconnect();
    return Promise.resolve();
  }

  /** Whether requests can be sent and answered right now. */
  get isReady(): boolean {
    return this.commands.status === 'ready' && this.replies.status === 'ready';
  }

  /**
   * Sends a request and resolves with the reply. Rejects with the `ServiceError` that the handler raised, `unavailable`
   * when nobody can take it, or `deadline_exceeded`; after the last two it is unknown whether it ran.
   */
  async request<Request, Reply>(
    contract: MessageContract<Request, Reply>,
    payload: Request,
    context: RequestContext,
  ): Promise<Reply> {
    const { service, pattern } = contract;
    const end = duration.startTimer({ service, pattern });
    try {
      const reply = await inSpan(`send ${pattern}`, { 'messaging.system': 'redis' }, () =>
        this.exchange(this.open(contract, payload, context)),
      );
      end({ outcome: 'ok' });
      return reply as Reply;
    } catch (error) {
      end({ outcome: error instanceof ServiceError ? error.code : 'error' });
      throw error;
    }
  }

  /** Replicas of a service whose lease is alive. Throws when Redis does not answer. */
  liveReplicas(service: ServiceName): Promise<number> {
    return this.sender.liveReplicas(service);
  }

  /** Reaches every replica that is connected at this moment; works with no subscribers. */
  async broadcast<Payload>(contract: BroadcastContract<Payload>, payload: Payload): Promise<void> {
    await this.publishEvent(contract.event, payload);
  }

  unwrap<Connection>(): Connection {
    return this.commands as Connection;
  }

  /** Nest's untyped `send`: a pattern `service.name` with the default deadline and resend. */
  protected publish(packet: ReadPacket<unknown>, callback: (packet: WritePacket) => void): () => void {
    const pattern = this.normalizePattern(packet.pattern as string);
    const service = pattern.split('.', 1)[0] ?? pattern;
    const contract = {
      pattern,
      service,
      queue: 'requests',
      deadlineMs: 5_000,
      resendAfterMs: 1_000,
    } as MessageContract<unknown, unknown>;
    this.request(contract, packet.data, { requestId: randomUUID() }).then(
      (response) => callback({ response, isDisposed: true }),
      (err: unknown) => callback({ err, isDisposed: true }),
    );
    return () => undefined;
  }

  protected async dispatchEvent<Result>(packet: ReadPacket<unknown>): Promise<Result> {
    const event = this.normalizePattern(packet.pattern as string);
    await this.publishEvent(event, packet.data);
    return undefined as Result;
  }

  private async publishEvent(event: string, payload: unknown): Promise<void> {
    await this.commands
      .spublish(keys.broadcastChannel(event), JSON.stringify(payload))
      .catch((cause: unknown) => {
        throw unavailable('redis can not be reached', cause);
      });
  }

  private open(
    contract: MessageContract<unknown, unknown>,
    payload: unknown,
    context: RequestContext,
  ): Exchange {
    const budgetMs = Math.min(contract.deadlineMs, context.deadlineMs ?? contract.deadlineMs);
    const traceparent = currentTraceparent() ?? context.traceparent;
    const replyTo = this.replyChannels.get(contract.service);
    if (replyTo === undefined) throw new Error(`this client does not ask ${contract.service}`);
    const frame: RequestFrame = {
      id: this.nextId(),
      pattern: contract.pattern,
      replyTo,
      requestId: context.requestId,
      ...(traceparent ? { traceparent } : {}),
      budgetMs,
      data: payload,
    };
    return {
      frame: encodeFrame(frame),
      id: frame.id,
      replyTo,
      pattern: contract.pattern,
      service: contract.service,
      queue: contract.queue,
      resendAfterMs: contract.resendAfterMs,
      deadline: performance.now() + budgetMs,
    };
  }

  private async hearReplies(): Promise<void> {
    const { logger } = this.options;
    await Promise.all([connectRedis(this.commands, logger), connectRedis(this.replies, logger)]);
    await subscribeChannels(this.replies, [...this.replyChannels.values()], {
      onMessage: (channel, message) => this.receive(channel, message),
      onFailed: (error) => logger.warn({ err: error }, 'replies can not be heard'),
    });
  }

  private exchange(exchange: Exchange): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = this.schedule(exchange, exchange.resendAfterMs);
      this.waiting.set(exchange.id, { replyTo: exchange.replyTo, resolve, reject, timer });
      this.push(exchange).catch((error: ServiceError) => this.takePending(exchange.id)?.reject(error));
    });
  }

  private push(exchange: Exchange): Promise<void> {
    const remainingMs = Math.max(1, exchange.deadline - performance.now());
    return this.sender.send({ ...exchange, remainingMs });
  }

  /** One timer at a time: first for the resend, if there is to be one, then for the deadline. */
  private schedule(exchange: Exchange, resendAfterMs: number | null): NodeJS.Timeout {
    const remainingMs = exchange.deadline - performance.now();
    if (resendAfterMs === null || resendAfterMs >= remainingMs) {
      return setTimeout(() => this.giveUp(exchange), Math.max(0, remainingMs));
    }
    return setTimeout(() => this.resend(exchange), resendAfterMs);
  }

  /** Sends a request a second time; when that is not possible just now, soon again: what is away may be back in time. */
  private resend(exchange: Exchange): void {
    const waiting = this.waiting.get(exchange.id);
    if (!waiting) return;
    waiting.timer = this.schedule(exchange, null);
    resends.inc({ service: exchange.service, pattern: exchange.pattern });
    this.push(exchange).catch((error: unknown) => {
      this.options.logger.debug({ err: error }, 'not sent again yet');
      if (!this.waiting.has(exchange.id)) return;
      clearTimeout(waiting.timer);
      waiting.timer = this.schedule(exchange, resendRetryMs);
    });
  }

  private giveUp(exchange: Exchange): void {
    const error = new ServiceError(
      'deadline_exceeded',
      'The service did not answer in time; try again shortly.',
    );
    this.takePending(exchange.id)?.reject(error);
  }

  private takePending(id: string): Waiting | undefined {
    const waiting = this.waiting.get(id);
    if (!waiting) return undefined;
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    return waiting;
  }

  /**
   * Never throws: it would end the process. An answer that nobody waits for any more, or twice, is nothing unusual. Whoever
   * answers in the name of another service is not heard: a service is let onto its own channels alone.
   */
  private receive(channel: string, message: Buffer): void {
    try {
      const reply = readReply(message);
      const waiting = this.takePendingOn(channel, reply.id);
      if (!waiting) this.options.logger.debug({ id: reply.id }, 'nobody waits for this reply');
      else if ('error' in reply) waiting.reject(ServiceError.fromPayload(reply.error));
      else waiting.resolve(reply.data);
    } catch (error) {
      this.options.logger.warn({ err: error, bytes: message.length }, 'a reply could not be read');
      if (error instanceof MalformedReply && error.id !== undefined) {
        this.takePendingOn(channel, error.id)?.reject(internal(error));
      }
    }
  }

  private takePendingOn(channel: string, id: string): Waiting | undefined {
    return this.waiting.get(id)?.replyTo === channel ? this.takePending(id) : undefined;
  }

  /** Unique among the requests of this client, whose replies come over channels of its own. */
  private nextId(): string {
    this.sequence += 1;
    return this.sequence.toString(36);
  }
}
