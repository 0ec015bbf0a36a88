import { type AdminRole, type AuthenticatedKey, type Operator, ServiceError, testBalance } from '#contracts';
import { hashApiKey, isWellFormedApiKey } from '#platform';
import { type RequestContext } from '#transport';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Exchange } from '../edge/connections/exchange.js';

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
}

/** The API key that a request carries, not looked up yet. */
interface PresentedKey {
  readonly token: string | undefined;
  /** `undefined` for a token whose checksum is wrong: it can't be a key. */
  readonly hash: string | undefined;
}

/**
 * What belongs to one request: it hangs on the request from when it arrives (`request.call`), and goes as the context with
 * every message that is sent for it.
 */
export class Call implements RequestContext {
  readonly requestId: string;
  /** W3C trace context that the client sent. */
  readonly traceparent?: string;
  /** Operator of a request to the admin API, and what their token may do. */
  operator: (Operator & { readonly role: AdminRole }) | undefined;
  /** Known once the key has been looked up. */
  authenticatedKey: AuthenticatedKey | undefined;
  /**
   * Looks up a key that was only taken to be good until its charge checks it; throws `unauthorized`. `undefined` once it
   * is known to be good.
   */
  confirmKey: (() => Promise<void>) | undefined;
  /** Balance of a test key in this call. */
  testBalance = testBalance;
  /** Answered with an error that its test key asked for: nothing is wrong. */
  isSimulated = false;
  /** On the monotonic clock, ms. */
  private deadline: number | undefined;
  private presented: PresentedKey | undefined;

  constructor(
    private readonly request: Pick<FastifyRequest, 'id' | 'headers'>,
    /** Ends with the answer or with the connection. */
    readonly exchange: Exchange,
  ) {
    const { traceparent } = request.headers;
    this.requestId = request.id;
    if (typeof traceparent === 'string') this.traceparent = traceparent;
  }

  /** Starts the deadline once the whole request has arrived: how long its client took to send it does not count. */
  startDeadline(deadlineMs: number): void {
    this.deadline = performance.now() + deadlineMs;
  }

  /** Time that messages of this request may take, ms; `undefined`: as long as each may take. Throws `deadline_exceeded`. */
  get deadlineMs(): number | undefined {
    this.assertInTime();
    return this.deadline === undefined ? undefined : this.deadline - performance.now();
  }

  /** Throws `deadline_exceeded` once the request has taken too long. */
  assertInTime(): void {
    if (this.deadline !== undefined && performance.now() >= this.deadline) {
      throw new ServiceError('deadline_exceeded', 'The request took too long to process; try again shortly.');
    }
  }

  /** The key in the `Authorization` header, hashed once. */
  get presentedKey(): PresentedKey {
    if (this.presented) return this.presented;
    const token = bearerToken(this.request.headers.authorization);
    const hash = token !== undefined && isWellFormedApiKey(token) ? hashApiKey(token) : undefined;
    this.presented = { token, hash };
    return this.presented;
  }

  /** The key of an authenticated request. */
  get key(): AuthenticatedKey {
    if (this.authenticatedKey) return this.authenticatedKey;
    throw new Error('a handler that needs a key must be an Endpoint');
  }

  /** Whether the call has a test key: nothing is charged for it. */
  get isTest(): boolean {
    return this.key.mode === 'test';
  }

  /** Account that calls are counted and signed for, apart for test keys: one kind of key does not count for the other. */
  get scope(): string {
    const { account_id } = this.key;
    return this.isTest ? `test ${account_id}` : account_id;
  }

  /** Goes with every message to the catalog: a test key asks for the fictional creators. */
  get creators(): { readonly test?: true } {
    return this.isTest ? { test: true } : {};
  }
}

const bearer = /^bearer +([^\s]+) *$/i;

/** The token of an `Authorization: Bearer` header, the scheme in any case; `undefined` without one. */
export function bearerToken(header: string | undefined): string | undefined {
  return bearer.exec(header ?? '')?.[1];
}

/** What belongs to the request of a handler. */
export const CurrentCall = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Call =>
    context.switchToHttp().getRequest<FastifyRequest>().call,
);
