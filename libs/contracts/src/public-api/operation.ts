import { type Operation } from '../billing/charges.js';
import { type ShapeClass } from '../shape/shape.js';
import { type PublicErrorStatus } from './errors.js';
import { type AnswerHeader, type requestHeaders } from './headers.js';
import { type LimitGroup } from './limits.js';

/** The groups of the reference page, in its order. */
export const operationTags = {
  Creators: 'Find creators, and read their profiles.',
  'Look-ups': 'Values to search for, and the creator behind a link or a handle. Free.',
  Account: 'Your credits, your usage, and what each call cost. Free.',
} as const;

/** One operation of the public API: its routes, documents, tools and clients are made from it. */
export interface PublicOperation {
  /** Name of the operation in generated clients. */
  readonly name: string;
  readonly method: 'get' | 'post';
  /** Below `/api/public/v1`, with the parameters in braces. */
  readonly path: `/${string}`;
  readonly tag: keyof typeof operationTags;
  /** The charged operation; absent: it is free. */
  readonly paid?: Operation;
  /** The price of a call: a sentence, Markdown. Default: it is free. */
  readonly cost?: string;
  /** The group in which its calls are counted, when they are limited. */
  readonly limit?: LimitGroup;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** The parameters in the path. */
  readonly params?: ShapeClass;
  /** Without one, a query is refused. */
  readonly query?: ShapeClass;
  readonly body?: ShapeClass;
  readonly answer: {
    readonly shape: ShapeClass;
    readonly description: string;
    /** In addition to what follows from its price, its limit and `unchanged`. */
    readonly headers?: readonly AnswerHeader[];
    /** Whether the answer has an `etag`, and is a 304 for a caller who already has it. */
    readonly unchanged?: true;
    /** Titles of its examples by name. */
    readonly examples: Readonly<Record<string, string>>;
  };
  /** Statuses in addition to what follows from its price, its limit and its body. */
  readonly errors?: readonly PublicErrorStatus[];
  /** How models call it over MCP. */
  readonly tool?: OperationTool;
}

export interface OperationTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: ShapeClass;
  /** Default: the answer of the operation. */
  readonly answer?: ShapeClass;
}

/** Declares an operation, and keeps the types of its shapes. */
export const operation = <const Declared extends PublicOperation>(declared: Declared): Declared => declared;

/** The headers of a request that an operation takes. */
export function requestHeadersOf({ paid, answer }: PublicOperation): (keyof typeof requestHeaders)[] {
  return [
    ...(paid ? ['Idempotency-Key' as const] : []),
    ...(answer.unchanged ? ['If-None-Match' as const] : []),
  ];
}

/** The headers of an answer to an operation: a 200, or a 304. */
export function answerHeadersOf(declared: PublicOperation, status: 200 | 304): AnswerHeader[] {
  const { paid, limit, answer } = declared;
  return [
    'x-request-id',
    ...(limit || paid ? (['ratelimit', 'ratelimit-policy'] as const) : []),
    ...(answer.unchanged ? ['etag' as const] : []),
    ...(paid ? (['x-credits-used', 'x-credits-remaining', 'x-credits-warning'] as const) : []),
    ...(paid && status === 200 ? ['idempotent-replayed' as const] : []),
    ...(answer.headers ?? []),
  ];
}

/** The statuses of the errors of an operation. */
export function errorsOf({ paid, limit, body, errors = [] }: PublicOperation): PublicErrorStatus[] {
  const all: PublicErrorStatus[] = [
    ...([400, 401, 503] as const),
    ...(paid ? ([402, 403, 409, 422, 429] as const) : []),
    ...(limit ? ([429] as const) : []),
    ...(body ? ([413, 415] as const) : []),
    ...errors,
  ];
  return [...new Set(all)].sort((one, other) => one - other);
}
