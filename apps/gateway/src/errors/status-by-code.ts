import { type ErrorCode } from '#contracts';

interface HttpError {
  readonly status: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/**
 * The one place where an error gets its HTTP status. Consumers know one status for a fault on our side, so a
 * fault of any kind is a 503 that may be tried again; the log tells them apart.
 */
export const httpErrorByCode: Readonly<Record<ErrorCode, HttpError>> = {
  invalid_request: { status: 400, logLevel: 'debug' },
  unauthorized: { status: 401, logLevel: 'debug' },
  insufficient_credits: { status: 402, logLevel: 'debug' },
  forbidden: { status: 403, logLevel: 'debug' },
  key_limit_reached: { status: 403, logLevel: 'debug' },
  not_found: { status: 404, logLevel: 'debug' },
  method_not_allowed: { status: 405, logLevel: 'debug' },
  conflict: { status: 409, logLevel: 'debug' },
  payload_too_large: { status: 413, logLevel: 'debug' },
  uri_too_long: { status: 414, logLevel: 'debug' },
  unsupported_media_type: { status: 415, logLevel: 'debug' },
  idempotency_key_reused: { status: 422, logLevel: 'debug' },
  rate_limited: { status: 429, logLevel: 'debug' },
  headers_too_large: { status: 431, logLevel: 'debug' },
  unavailable: { status: 503, logLevel: 'warn' },
  deadline_exceeded: { status: 503, logLevel: 'warn' },
  internal: { status: 503, logLevel: 'error' },
};

/** The code behind a status that the HTTP server itself chose. */
export function codeOfStatus(status: number): ErrorCode {
  const found = Object.entries(httpErrorByCode).find(([, error]) => error.status === status);
  if (status >= 500 || !found) return status >= 400 && status < 500 ? 'invalid_request' : 'internal';
  return found[0] as ErrorCode;
}
