import { type ParameterObject, type RequestBodyObject, type SchemaObject } from 'openapi3-ts/oas31';
import { type RateLimitGroup } from '../rate-limit/rate-limiter.js';
import { type HeaderName } from './headers.js';

/** The groups of the reference page, in its order. */
export const tags = {
  Creators: 'Find creators, and read what is known about one of them.',
  'Look-ups': 'What can be searched for, and who is behind a link or a handle. Free.',
  Account: 'What your account can still spend, what it has spent, and on which calls. Free.',
} as const;

/** The statuses of errors that not every operation can have. */
export type ErrorStatus = 402 | 404 | 409 | 413 | 415 | 422 | 429;

/**
 * One operation of the public API as its consumers read it. What holds for all of them, such as 401 and 503, is added by
 * `describeApi`.
 */
export interface DescribedOperation {
  readonly method: 'get' | 'post';
  /** Below `/api/public/v1`, with the parameters in braces. */
  readonly path: string;
  /** Its name in generated clients. */
  readonly operationId: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  /** What a call costs: a sentence, Markdown. */
  readonly cost: string;
  /** Markdown. */
  readonly description: string;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: RequestBodyObject;
  /** The group in which its calls are counted, when they are limited. */
  readonly rateLimit?: RateLimitGroup;
  readonly answer: DescribedAnswer;
  /** Besides 400, 401, 503 and, where calls are limited, 429. */
  readonly errors?: readonly ErrorStatus[];
  /** The components that it adds to the document. */
  readonly schemas: Readonly<Record<string, SchemaObject>>;
}

/** The answer of a successful call. */
export interface DescribedAnswer {
  readonly description: string;
  /** The name of its schema among the components. */
  readonly schema: string;
  readonly headers?: readonly HeaderName[];
  /** The headers of the 304 for a caller whose `If-None-Match` names the answer. */
  readonly unchanged?: readonly HeaderName[];
  /** The names of its examples in `examples.json`, with a title for each. */
  readonly examples: Readonly<Record<string, string>>;
}
