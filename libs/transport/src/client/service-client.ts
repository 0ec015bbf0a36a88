import { randomUUID } from 'node:crypto';
import {
  type BroadcastContract,
  type Door,
  type MessageContract,
  messageRevision,
  type Operator,
  ServiceError,
  type ServiceName,
  serviceNames,
} from '#contracts';
import { counter, currentTraceparent, histogram, inSpan, type Logger } from '#platform';
import { type OnApplicationShutdown } from '@nestjs/common';
import { deadlineExceeded, internal, unavailable } from '../transport-errors.js';
import { encodeFrame, MalformedReply, readReply, type RequestFrame } from '../frames.js';
import { connectRedis, createRedis, type RedisConnection, subscribeChannels } from '../redis/create-redis.js';
import { keys } from '../redis/keys.js';
import { PendingRequests } from './pending-requests.js';
import { Sender } from './sender.js';

export interface ServiceClientOptions {
  readonly redisUrl: string;
  readonly logger: Logger;
  /** Whose queues it sends to. Default: `gateway`. */
  readonly door?: Door;
  /** Bound of a request queue; beyond it, requests fail as `unavailable`. */
  readonly queueMax?: number;
  /** The services to send requests to. Default: all; empty: the client only broadcasts. */
  readonly callsServices?: readonly ServiceName[];
}

/** The context sent with a request. `deadlineMs` may shorten the contract's deadline. */
export interface RequestContext {
  readonly requestId: string;
  readonly traceparent?: string;
  readonly operator?: Operator | undefined;
  readonly deadlineMs?: number;
}

/** A request in flight, with what a resend needs. */
interface OpenRequest {
  readonly contract: MessageContract<unknown, unknown>;
  readonly frame: Buffer;
  readonly id: string;
  readonly replyTo: string;
  /** On the monotonic clock of this process. */
  readonly deadline: number;
}

const duration = histogram(
  'message_request_duration_seconds',
  'Duration of requests to other services, until the reply.',
  ['service', 'pattern', 'outcome'],
);
const resends = counter('message_resends_total', 'Requests that were resent.', ['service', 'pattern']);

const defaultQueueMax = 2_000;
const resendRetryMs = 100;

/**
 * Sends requests and broadcasts over Redis. One per process, with two connections: one for writing, one subscribed to
 * the replies. Both reconnect automatically.
 */
export class ServiceClient implements OnApplicationShutdown {
  private readonly commands: RedisConnection;
  private readonly replies: RedisConnection;
  private readonly sender: Sender;
  private readonly replyChannels: ReadonlyMap<string, string>;
  private readonly pending = new PendingRequests();
  private connecting?: Promise<void>;
  private sequence = 0;

  constructor(private readonly options: ServiceClientOptions) {
    const { door = 'gateway' } = options;
    this.commands = createRedis(options.redisUrl, options.logger);
    this.replies = createRedis(options.redisUrl, options.logger);
    this.sender = new Sender(this.commands, door, options.queueMax ?? defaultQueueMax);
    const clientId = randomUUID();
    this.replyChannels = new Map(
      (options.callsServices ?? serviceNames).map((service) => [
        service,
        keys.replyChannel(service, door, clientId),
      ]),
    );
  }

  /** Resolves when Redis has answered and replies can arrive; waits for a Redis that is not up yet. */
  connect(): Promise<void> {
    this.connecting ??= this.subscribeToReplies();
    return this.connecting;
  }

  /** The last hook of Nest: other modules may still send messages while stopping. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    this.pending.rejectAll(unavailable('the client was closed'));
    this.commands.disconnect();
    this.replies.disconnect();
    return Promise.resolve();
  }

  /** Whether requests can currently be sent and answered. */
  get isReady(): boolean {
    return this.commands.status === 'ready' && this.replies.status === 'ready';
  }

  /**
   * Sends a request and resolves with the reply. Rejects with the handler's `ServiceError`, with `unavailable` when no
   * replica can take it, or with `deadline_exceeded`; after the last two it is unknown whether it ran.
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
        this.run(this.open(contract, payload, context)),
      );
      end({ outcome: 'ok' });
      return reply as Reply;
    } catch (error) {
      end({ outcome: error instanceof ServiceError ? error.code : 'error' });
      throw error;
    }
  }

  /** Number of replicas of a service with a live lease. Throws when Redis does not answer. */
  liveReplicas(service: ServiceName): Promise<number> {
    return this.sender.liveReplicas(service);
  }

  /** Whether a live replica of the service does not know this version's messages. Throws when Redis does not answer. */
  async hasOlderReplica(service: ServiceName, revision = messageRevision): Promise<boolean> {
    // In this order: a replica that starts in between is not counted as an old one for good, only until asked again.
    const knowing = await this.sender.liveReplicas(service, revision);
    return (await this.liveReplicas(service)) > knowing;
  }

  /** Reaches every subscriber connected at this moment; succeeds without subscribers. */
  async broadcast<Payload>(contract: BroadcastContract<Payload>, payload: Payload): Promise<void> {
    await this.commands
      .spublish(keys.broadcastChannel(contract.event), JSON.stringify(payload))
      .catch((cause: unknown) => {
        throw unavailable('redis is unreachable', cause);
      });
  }

  private open(
    contract: MessageContract<unknown, unknown>,
    payload: unknown,
    context: RequestContext,
  ): OpenRequest {
    const budgetMs = Math.min(contract.deadlineMs, context.deadlineMs ?? contract.deadlineMs);
    const { operator } = context;
    const traceparent = currentTraceparent() ?? context.traceparent;
    const replyTo = this.replyChannels.get(contract.service);
    if (replyTo === undefined) throw new Error(`this client is not configured for ${contract.service}`);
    const frame: RequestFrame = {
      id: this.nextId(),
      pattern: contract.pattern,
      replyTo,
      requestId: context.requestId,
      ...(traceparent ? { traceparent } : {}),
      ...(operator ? { operator: { id: operator.id, name: operator.name } } : {}),
      budgetMs,
      data: payload,
    };
    const deadline = performance.now() + budgetMs;
    return { contract, frame: encodeFrame(frame), id: frame.id, replyTo, deadline };
  }

  private async subscribeToReplies(): Promise<void> {
    const { logger } = this.options;
    await Promise.all([connectRedis(this.commands, logger), connectRedis(this.replies, logger)]);
    await subscribeChannels(this.replies, [...this.replyChannels.values()], {
      onMessage: (channel, bytes) => this.onReply(channel, bytes),
      onFailed: (error) => logger.warn({ err: error }, 'not subscribed to replies'),
    });
  }

  private run(request: OpenRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = this.schedule(request, request.contract.resendAfterMs);
      this.pending.set(request.id, { replyTo: request.replyTo, resolve, reject, timer });
      this.push(request).catch((error: ServiceError) => this.pending.take(request.id)?.reject(error));
    });
  }

  private push({ contract: { service, queue }, frame, deadline }: OpenRequest): Promise<void> {
    const remainingMs = Math.max(1, deadline - performance.now());
    return this.sender.send({ service, queue, frame, remainingMs });
  }

  /** One timer at a time: first for the resend, if any, then for the deadline. */
  private schedule(request: OpenRequest, resendAfterMs: number | null): NodeJS.Timeout {
    const remainingMs = request.deadline - performance.now();
    if (resendAfterMs === null || resendAfterMs >= remainingMs) {
      const expire = (): void => this.pending.take(request.id)?.reject(deadlineExceeded());
      return setTimeout(expire, Math.max(0, remainingMs));
    }
    return setTimeout(() => this.resend(request), resendAfterMs);
  }

  /** Resends a request; when that fails, tries again soon: Redis or the service may recover in time. */
  private resend(request: OpenRequest): void {
    const pending = this.pending.get(request.id);
    if (!pending) return;
    pending.timer = this.schedule(request, null);
    const { service, pattern } = request.contract;
    resends.inc({ service, pattern });
    this.push(request).catch((error: unknown) => {
      this.options.logger.debug({ err: error }, 'resend failed, trying again');
      if (!this.pending.get(request.id)) return;
      clearTimeout(pending.timer);
      pending.timer = this.schedule(request, resendRetryMs);
    });
  }

  /**
   * Never throws, which would end the process. A late or second reply is normal. A reply on the channel of another
   * service is ignored.
   */
  private onReply(channel: string, bytes: Buffer): void {
    try {
      const reply = readReply(bytes);
      const pending = this.pending.takeFrom(channel, reply.id);
      if (!pending) this.options.logger.debug({ id: reply.id }, 'no request is pending for this reply');
      else if ('error' in reply) pending.reject(ServiceError.fromPayload(reply.error));
      else pending.resolve(reply.data);
    } catch (error) {
      this.options.logger.warn({ err: error, bytes: bytes.length }, 'a reply could not be read');
      if (error instanceof MalformedReply && error.id !== undefined) {
        this.pending.takeFrom(channel, error.id)?.reject(internal(error));
      }
    }
  }

  /** Unique within this client, which has its own reply channels. */
  private nextId(): string {
    this.sequence += 1;
    return this.sequence.toString(36);
  }
}
