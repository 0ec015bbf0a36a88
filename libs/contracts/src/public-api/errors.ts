import { KeyLimit } from '../billing/keys.js';
import { type ErrorDetails } from '../errors.js';
import { AnyText, Details, Integer, Url } from '../shape/fields.js';
import { One } from '../shape/nested-fields.js';
import { Both, Shape, type ShapeClass } from '../shape/shape.js';
import { type AnswerHeader } from './headers.js';

@Shape('An error.', { name: 'Error' })
export class ErrorAnswer {
  @AnyText({ description: 'What is wrong, and how to fix it.' })
  readonly error: string;
}

class InvalidFields {
  @Details({ description: 'Each parameter or header that is not valid, with what is wrong with it.' })
  readonly details: ErrorDetails;
}

class MissingCredits {
  @Integer({ description: 'The price of the call.' })
  readonly credits_needed: number;

  @Integer({ description: 'The balance.' })
  readonly credits_remaining: number;
}

class ReachedKeyLimit {
  @One(() => KeyLimit, { description: 'The limit of the key.' })
  readonly key_limit: KeyLimit;
}

@Shape('Parameters or headers that are not valid.')
export class ValidationError extends Both(ErrorAnswer, InvalidFields) {}

@Shape('The balance is lower than the price of the call.', { name: 'InsufficientCreditsError' })
export class InsufficientCreditsAnswer extends Both(ErrorAnswer, MissingCredits) {}

@Shape('The price of the call is higher than the rest of the monthly limit of the API key.', {
  name: 'KeyLimitError',
})
export class KeyLimitAnswer extends Both(ErrorAnswer, ReachedKeyLimit) {}

const asProblem = 'for clients whose `Accept` names `application/problem+json` (RFC 9457)';

@Shape(`An error, ${asProblem}.`)
export class Problem {
  @Url({ description: 'Identifies the kind of error; a name, not a URL to fetch.' })
  readonly type: string;

  @AnyText({ description: 'The name of the HTTP status.' })
  readonly title: string;

  @Integer({ min: 400, max: 599, description: 'The HTTP status.' })
  readonly status: number;

  @AnyText({ description: 'What is wrong, and how to fix it.' })
  readonly detail: string;

  @AnyText({ description: 'The `x-request-id` of the answer.' })
  readonly request_id: string;
}

@Shape(`Parameters or headers that are not valid, ${asProblem}.`)
export class ValidationProblem extends Both(Problem, InvalidFields) {}

@Shape(`The balance is lower than the price of the call, ${asProblem}.`)
export class InsufficientCreditsProblem extends Both(Problem, MissingCredits) {}

@Shape(`The price of the call is higher than the rest of the monthly limit of the API key, ${asProblem}.`)
export class KeyLimitProblem extends Both(Problem, ReachedKeyLimit) {}

/** An error of the public API, by its status. */
export interface PublicError {
  /** Name of the error in documents. */
  readonly name: string;
  readonly description: string;
  /** Besides `x-request-id`. */
  readonly headers: readonly AnswerHeader[];
  /** Body of the error as `application/json`, and as `application/problem+json`. */
  readonly shapes: readonly [body: ShapeClass, problem: ShapeClass];
}

/** Where calls are limited, these errors have the headers of the limit, unless the call was refused before it was counted. */
const limit = ['ratelimit', 'ratelimit-policy'] as const;
const plain = [ErrorAnswer, Problem] as const;

/** The errors of the operations, by status. An error costs nothing. */
export const publicErrors = {
  400: {
    name: 'BadRequest',
    description:
      'A parameter is unknown, repeated, empty or not valid, or `Authorization` or `Idempotency-Key` is sent twice or not valid. `details` names each, in a body by a path like `accounts[3].url`.',
    headers: limit,
    shapes: [ValidationError, ValidationProblem],
  },
  401: {
    name: 'Unauthorized',
    description:
      'The API key is missing, unknown, switched off, expired or deleted, or its account is suspended.',
    headers: ['www-authenticate'],
    shapes: plain,
  },
  402: {
    name: 'InsufficientCredits',
    description:
      'The balance is lower than the price of the call; for a search that was not run, lower than its highest price.',
    headers: ['x-credits-warning', ...limit],
    shapes: [InsufficientCreditsAnswer, InsufficientCreditsProblem],
  },
  403: {
    name: 'KeyLimitReached',
    description:
      'The balance is sufficient, but the call exceeds the monthly limit of the API key; a search that was not run exceeds it at its highest price. `key_limit` says when the limit resets.',
    headers: limit,
    shapes: [KeyLimitAnswer, KeyLimitProblem],
  },
  404: {
    name: 'NotFound',
    description: 'No published creator has this slug.',
    headers: [],
    shapes: plain,
  },
  409: {
    name: 'Conflict',
    description:
      'The call with this `Idempotency-Key` is still in progress. Try again after `retry-after` seconds.',
    headers: ['retry-after', ...limit],
    shapes: plain,
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than 64 KiB.',
    headers: limit,
    shapes: plain,
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not sent as `application/json`.',
    headers: limit,
    shapes: plain,
  },
  422: {
    name: 'IdempotencyKeyReused',
    description: 'The `Idempotency-Key` belongs to another paid call.',
    headers: limit,
    shapes: plain,
  },
  429: {
    name: 'TooManyRequests',
    description:
      'A limit is reached: the calls in this group, the paid calls whose answer it did not take, or the free searches and profiles of its account. Try again after `retry-after` seconds.',
    headers: ['retry-after', ...limit],
    shapes: plain,
  },
  503: {
    name: 'Unavailable',
    description: 'A temporary failure on our side. Try again after `retry-after` seconds.',
    headers: ['retry-after', ...limit],
    shapes: plain,
  },
} satisfies Record<number, PublicError>;

export type PublicErrorStatus = keyof typeof publicErrors;
