import { type ResponseObject } from 'openapi3-ts/oas31';
import { problemType } from '../../errors/problem-details.js';
import { type Examples } from './examples.js';
import { type HeaderName, headersNamed } from '../../openapi/headers.js';
import { schemaNamed } from '../../openapi/schemas.js';

interface DescribedError {
  /** Its name among the components. */
  readonly name: string;
  readonly description: string;
  readonly headers: readonly HeaderName[];
  /** The names of the schemas of its body and of its problem details; default: those of an error without additions. */
  readonly schemas?: readonly [body: string, problem: string];
}

/** Where calls are limited, these errors tell the limit too, unless the call was refused before it was counted. */
const limit = ['ratelimit', 'ratelimit-policy'] as const;

/** The errors of spec 7 by status. */
const errors = {
  400: {
    name: 'BadRequest',
    description: 'A parameter is unknown, repeated, empty or not valid; `details` names each. Costs nothing.',
    headers: ['x-request-id', ...limit],
    schemas: ['ValidationError', 'ValidationProblem'],
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key is missing, unknown, switched off or deleted. Costs nothing.',
    headers: ['x-request-id', 'www-authenticate'],
  },
  402: {
    name: 'InsufficientCredits',
    description:
      'The balance is lower than the price of the call; for a search that was not run, than its highest price. Nothing is taken.',
    headers: ['x-request-id', 'x-credits-warning', ...limit],
    schemas: ['InsufficientCreditsError', 'InsufficientCreditsProblem'],
  },
  404: {
    name: 'NotFound',
    description: 'No published creator has this slug. Costs nothing.',
    headers: ['x-request-id'],
  },
  409: {
    name: 'Conflict',
    description:
      'The call with this `Idempotency-Key` is still being answered. Try again after `retry-after` seconds. Nothing is taken.',
    headers: ['x-request-id', 'retry-after', ...limit],
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than 64 KiB. Costs nothing.',
    headers: ['x-request-id', ...limit],
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not sent as `application/json`. Costs nothing.',
    headers: ['x-request-id', ...limit],
  },
  422: {
    name: 'IdempotencyKeyReused',
    description: 'This `Idempotency-Key` belongs to another call that was paid. Nothing is taken.',
    headers: ['x-request-id', ...limit],
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The key has made all calls of this group that it may make in a minute or hung up on too many paid calls, or its account has made 600 calls that cost nothing. Costs nothing.',
    headers: ['x-request-id', 'retry-after', ...limit],
  },
  503: {
    name: 'Unavailable',
    description: 'A temporary failure on our side: try again after `retry-after` seconds. Costs nothing.',
    headers: ['x-request-id', 'retry-after', ...limit],
  },
} satisfies Record<number, DescribedError>;

export type DescribedStatus = keyof typeof errors;

/** The answer with this status, as a reference to the components. */
export function errorAnswer(status: DescribedStatus): { $ref: string } {
  return { $ref: `#/components/responses/${errors[status].name}` };
}

/** The answers with errors, by their names among the components. */
export function errorAnswers(examples: Examples): Record<string, ResponseObject> {
  const entries = Object.entries<DescribedError>(errors).map(([status, error]) => {
    const { name, description, headers, schemas: [body, problem] = ['Error', 'Problem'] } = error;
    const example = examples.errors[status];
    const content = {
      'application/json': { schema: schemaNamed(body), example: example?.json },
      [problemType]: { schema: schemaNamed(problem), example: example?.problem },
    };
    return [name, { description, headers: headersNamed(headers), content }];
  });
  return Object.fromEntries(entries) as Record<string, ResponseObject>;
}
