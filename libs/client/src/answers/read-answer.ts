import {
  ConnectionError,
  type CreatorSearchError,
  type ErrorContext,
  UnexpectedResponseError,
} from '../errors/errors.js';
import { Answer } from './answer.js';
import { errorOfStatus } from './error-of-status.js';
import { hasInexactNumber, parseObject } from './json.js';

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

/** The origin alone: the rest may be confidential. */
function targetOf(location: string | null): string {
  return location !== null && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
}
