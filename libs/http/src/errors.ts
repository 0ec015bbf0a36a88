import { type ErrorCode, type ErrorDetails, ServiceError } from '#contracts';
import { type Logger } from '#platform';
import { HttpException } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';

interface HttpError {
  readonly status: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/**
 * The one place where an error gets its HTTP status. Consumers know one status for a fault on our side, so a
 * fault of any kind is a 503 that may be tried again; the log has the difference.
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

/** The code behind a client error that the HTTP server itself found. */
function codeOfStatus(status: number): ErrorCode {
  const codes = Object.keys(httpErrorByCode) as ErrorCode[];
  return codes.find((code) => httpErrorByCode[code].status === status) ?? 'invalid_request';
}

/** The sentence of an error says so many problems; its details have all of them. */
const saidMax = 5;

/** A 400 whose sentence and `details` say what is wrong, by field, parameter or header. */
export function invalidRequest(details: ErrorDetails): ServiceError {
  const problems = [...new Set(Object.values(details).flat())];
  const more = problems.length > saidMax ? `; and ${problems.length - saidMax} more` : '';
  const said = problems.slice(0, saidMax).join('; ') + more;
  return new ServiceError('invalid_request', `The request is not valid: ${said}.`, { details });
}

type Request = Pick<FastifyRequest, 'routeOptions'>;

/** Sentences in place of Fastify's own. */
const sentences: Readonly<Record<number, (request: Request) => string>> = {
  404: () => 'No such path.',
  413: ({ routeOptions }) => `The body is too large; send at most ${routeOptions.bodyLimit} bytes.`,
  415: () => 'The body must be sent with Content-Type: application/json.',
};

/**
 * Maps anything thrown to a `ServiceError`. The messages of the HTTP server's own client errors are passed on (they say
 * what is wrong with the body or the URL); those of a fault never are.
 */
export function toServiceError(error: unknown, request: Request): ServiceError {
  if (error instanceof ServiceError) return error;
  const status = statusOf(error);
  if (status !== undefined && status >= 400 && status < 500) {
    const words = error instanceof Error ? error.message : 'The request is not valid.';
    const code = codeOfStatus(status);
    const details = code === 'invalid_request' ? { details: { request: [words] } } : {};
    return new ServiceError(code, sentences[status]?.(request) ?? words, { cause: error, ...details });
  }
  return new ServiceError('internal', 'Something went wrong on our side; try again shortly.', {
    cause: error,
  });
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

/**
 * A request refused before any work is done for it. There may be thousands a second, so each kind is one shared instance,
 * counted and not logged.
 */
export class RefusedError extends ServiceError {}

/** Too many requests wait for their turn. */
export const busy = new RefusedError('unavailable', 'The service is busy; try again shortly.');

/** The error that a caller gets for anything thrown. The reason behind it is logged with the request id and never sent. */
export function reportError(
  raised: unknown,
  request: Pick<FastifyRequest, 'id' | 'routeOptions'>,
  logger: Logger,
): ServiceError {
  const error = toServiceError(raised, request);
  if (error instanceof RefusedError) return error;
  const fields = { err: error.cause ?? error, request_id: request.id, code: error.code };
  logger[httpErrorByCode[error.code].logLevel](fields, 'request failed');
  return error;
}
