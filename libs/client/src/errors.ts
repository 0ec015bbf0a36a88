/** The kinds of errors, for programs that can't rely on `instanceof`: two copies of this package have two sets of classes. */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'insufficient_credits'
  | 'key_limit_reached'
  | 'not_found'
  | 'conflict'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'unavailable'
  | 'connection_failed'
  | 'timed_out'
  | 'unexpected_response';

export interface ErrorContext {
  readonly requestId: string;
  readonly attempts: number;
  /** `null` when there was no answer. */
  readonly status: number | null;
  readonly cause?: Error;
}

/** What every failed call throws. A call that failed has cost nothing. */
export abstract class CreatorSearchError extends Error {
  abstract readonly code: ErrorCode;
  /** Identifies the call in the service's logs and in `call(requestId)`; the same for all attempts. */
  readonly requestId: string;
  /** How often the call was sent. */
  readonly attempts: number;
  /** The HTTP status; `null` when there was no answer. */
  readonly status: number | null;

  constructor(message: string, { requestId, attempts, status, cause }: ErrorContext) {
    super(message, cause ? { cause } : undefined);
    this.requestId = requestId;
    this.attempts = attempts;
    this.status = status;
  }
}

/** A parameter is not valid. */
export class InvalidRequestError extends CreatorSearchError {
  readonly code = 'invalid_request';

  constructor(
    message: string,
    /** Parameter -> sentences that say what is wrong with it. */
    readonly details: Readonly<Record<string, readonly string[]>>,
    context: ErrorContext,
  ) {
    super(message, context);
  }
}

/** The API key is unknown, switched off or deleted. */
export class UnauthorizedError extends CreatorSearchError {
  readonly code = 'unauthorized';
}

/** The balance is lower than the price of the call; nothing was taken. */
export class InsufficientCreditsError extends CreatorSearchError {
  readonly code = 'insufficient_credits';

  constructor(
    message: string,
    /** The price of the call. */
    readonly creditsNeeded: number,
    readonly creditsRemaining: number,
    context: ErrorContext,
  ) {
    super(message, context);
  }
}

/** The balance is sufficient, but the price is higher than the rest of the monthly limit of the API key; nothing was taken. */
export class KeyLimitError extends CreatorSearchError {
  readonly code = 'key_limit_reached';

  constructor(
    message: string,
    /** Credits that the key may spend in a calendar month, UTC. */
    readonly limit: number,
    /** Credits spent this month. */
    readonly spent: number,
    /** When the next month begins. ISO 8601. */
    readonly resetsAt: string,
    context: ErrorContext,
  ) {
    super(message, context);
  }
}

/** No published creator has this slug. */
export class NotFoundError extends CreatorSearchError {
  readonly code = 'not_found';
}

/** The idempotency key was used for another call within the last 15 minutes. */
export class IdempotencyKeyReusedError extends CreatorSearchError {
  readonly code = 'idempotency_key_reused';
}

/** The service can't answer now, but later: retried, and thrown when the retries are used up. */
export abstract class TryLaterError extends CreatorSearchError {
  constructor(
    message: string,
    /** How long to wait at least; `null` when the service did not say. */
    readonly retryAfterSeconds: number | null,
    context: ErrorContext,
  ) {
    super(message, context);
  }
}

/** Too many calls of the key or the account: `message` says which limit was reached. */
export class RateLimitedError extends TryLaterError {
  readonly code = 'rate_limited';
}

/** An earlier attempt with the same idempotency key is still in progress. */
export class ConflictError extends TryLaterError {
  readonly code = 'conflict';
}

/** A temporary failure of the service or of a proxy in front of it. */
export class UnavailableError extends TryLaterError {
  readonly code = 'unavailable';
}

/** There was no answer, or it broke off in the middle; `cause` says why. */
export class ConnectionError extends CreatorSearchError {
  readonly code: 'connection_failed' | 'timed_out' = 'connection_failed';
}

/** The whole answer did not arrive within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly code = 'timed_out';
}

/** Something answered that is not this API, for example a proxy with a page of its own: is `baseUrl` right? */
export class UnexpectedResponseError extends CreatorSearchError {
  readonly code = 'unexpected_response';
}

/** Written out, because a program may be minified. */
const names = {
  CreatorSearchError,
  InvalidRequestError,
  UnauthorizedError,
  InsufficientCreditsError,
  KeyLimitError,
  NotFoundError,
  IdempotencyKeyReusedError,
  RateLimitedError,
  ConflictError,
  UnavailableError,
  ConnectionError,
  TimeoutError,
  UnexpectedResponseError,
};
for (const [name, { prototype }] of Object.entries(names)) prototype.name = name;
