import {
  ConflictError,
  ConnectionError,
  type CreatorSearchError,
  type ErrorContext,
  IdempotencyKeyReusedError,
  InsufficientCreditsError,
  InvalidRequestError,
  KeyLimitError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedResponseError,
} from '../errors.js';
import { Answer } from './answer.js';
import { hasInexactNumber, isObject, type JsonObject, parseObject, retryAfterSeconds } from './parsing.js';

/** An answer as it came, read to its end. */
export interface Received {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

type Call = Pick<ErrorContext, 'requestId' | 'attempts'>;

/** Reads what has come back from one attempt of a call. Throws a `CreatorSearchError` unless it is a success. */
export function readAnswer(received: Received, call: Call): Answer {
  const { status, headers, text } = received;
  const context = { ...call, requestId: headers.get('x-request-id') ?? call.requestId, status };
  const unexpected = (message: string): CreatorSearchError => new UnexpectedResponseError(message, context);
  if (status === 304) return new Answer({ ...context, headers, body: {} });
  // A browser hides what the redirect says.
  if (status === 0 || (status >= 300 && status < 400)) {
    throw unexpected(
      `The answer is a redirect${targetOf(headers.get('location'))}, which is not followed: the key would go there. Is baseUrl right?`,
    );
  }
  const type = headers.get('content-type') ?? 'no type';
  const body = parseObject(text);
  if (body === null && type.includes('json')) {
    throw new ConnectionError('The answer broke off in the middle.', { ...context, status: null });
  }
  if (status >= 400) throw errorOfStatus(status, body, headers, context);
  if (body === null) throw unexpected(`The answer is not JSON but ${type}. Is baseUrl right?`);
  if (hasInexactNumber(body)) throw unexpected('The answer has a number that is too large to be exact.');
  return new Answer({ ...context, headers, body });
}

/** Only the origin: the rest may be confidential. */
function targetOf(location: string | null): string {
  return location !== null && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
}

/**
 * The error behind a status of 400 or more. `body` is `null` when it is not JSON: then a proxy has answered. What it says
 * about being busy is believed, but a 404 of its own does not mean that there is no such creator.
 */
function errorOfStatus(
  status: number,
  body: JsonObject | null,
  headers: { get(name: string): string | null },
  context: ErrorContext,
): CreatorSearchError {
  const said = typeof body?.error === 'string' ? body.error : null;
  const message = said ?? `The answer is a ${status} without a reason.`;
  const seconds = retryAfterSeconds(headers.get('retry-after'));
  if (status >= 500 || status === 408) return new UnavailableError(message, seconds, context);
  if (status === 429) return new RateLimitedError(message, seconds, context);
  if (said === null || body === null) {
    return new UnexpectedResponseError(`${message} It is not from this API: is baseUrl right?`, context);
  }
  switch (status) {
    case 400:
    case 413:
    case 414:
    case 431:
      return new InvalidRequestError(
        message,
        isObject(body.details) ? (body.details as InvalidRequestError['details']) : {},
        context,
      );
    case 401:
      return new UnauthorizedError(message, context);
    case 402:
      return new InsufficientCreditsError(
        message,
        Number(body.credits_needed),
        Number(body.credits_remaining),
        context,
      );
    case 403: {
      const { key_limit: limit } = body;
      if (!isObject(limit)) return new UnexpectedResponseError(message, context);
      const [monthly, spent] = [Number(limit.limit), Number(limit.spent)];
      return new KeyLimitError(message, monthly, spent, String(limit.resets_at), context);
    }
    case 404:
      return new NotFoundError(message, context);
    case 409:
      return new ConflictError(message, seconds, context);
    case 422:
      return new IdempotencyKeyReusedError(message, context);
    default:
      return new UnexpectedResponseError(message, context);
  }
}
