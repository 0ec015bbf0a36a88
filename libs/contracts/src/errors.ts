/** Parameter or field name -> its problems, one sentence each. */
export type ErrorDetails = Record<string, string[]>;

/** All error codes, across all services. Only the gateway knows the HTTP status of each. */
export const errorCodes = [
  'invalid_request',
  'unauthorized',
  'insufficient_credits',
  'forbidden',
  'key_limit_reached',
  'not_found',
  'method_not_allowed',
  'conflict',
  'idempotency_key_reused',
  'payload_too_large',
  'uri_too_long',
  'headers_too_large',
  'unsupported_media_type',
  'rate_limited',
  'unavailable',
  'deadline_exceeded',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** A `ServiceError` as sent between services. */
export interface ErrorPayload {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
}

/**
 * An error whose code is sent between services. `message` and `details` are public: they may reach an HTTP client, so
 * they never hold a secret or an internal reason; that goes into `cause`, which is logged and never sent.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details?: ErrorDetails;

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly details?: ErrorDetails; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    if (options.details) this.details = options.details;
  }

  toPayload(): ErrorPayload {
    const { code, message, details } = this;
    return { code, message, ...(details && { details }) };
  }

  static fromPayload(payload: ErrorPayload): ServiceError {
    return new ServiceError(payload.code, payload.message, payload);
  }
}
