import {
  ConflictError,
  type CreatorSearchError,
  type ErrorContext,
  IdempotencyKeyReusedError,
  InsufficientCreditsError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedResponseError,
} from '../errors/errors.js';
import { isObject, type JsonObject } from './json.js';
import { retryAfterSeconds } from './headers.js';

/**
 * The error behind a status of 400 or more. `body` is `null` when it is not JSON: then a proxy has answered. What it says
 * about being busy is believed, but a 404 of its own does not mean that there is no such creator.
 */
export function errorOfStatus(
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
      return new InvalidRequestError(message, detailsOf(body), context);
    case 401:
      return new UnauthorizedError(message, context);
    case 402:
      return new InsufficientCreditsError(
        message,
        Number(body.credits_needed),
        Number(body.credits_remaining),
        context,
      );
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

function detailsOf({ details }: JsonObject): InvalidRequestError['details'] {
  return isObject(details) ? (details as InvalidRequestError['details']) : {};
}
