import {
  type ExamplesObject,
  type OperationObject,
  type ResponseObject,
  type ResponsesObject,
} from 'openapi3-ts/oas31';
import { type DescribedStatus, errorAnswer } from './errors.js';
import { type Examples } from './examples.js';
import { type HeaderName, headersNamed } from '../../openapi/headers.js';
import { type DescribedOperation } from '../../openapi/operation.js';
import { schemaNamed } from '../../openapi/schemas.js';
import { type RateLimitGroup } from '../../rate-limit/rate-limiter.js';

/** One operation as OpenAPI has it, with what holds for every operation. */
export function describeOperation(operation: DescribedOperation, examples: Examples): OperationObject {
  const { operationId, tag, summary, cost, description, parameters, requestBody } = operation;
  const errors = statusesOf(operation).map((status) => [status, errorAnswer(status)] as const);
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${cost}\n\n${description}`,
    ...(parameters ? { parameters: [...parameters] } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      '200': describeAnswer(operation, examples),
      ...describeUnchanged(operation),
      ...Object.fromEntries(errors),
    },
  };
}

function statusesOf({ errors = [], rateLimit }: DescribedOperation): DescribedStatus[] {
  return [400, 401, ...errors, ...(rateLimit ? ([429] as const) : []), 503];
}

function describeAnswer(
  { operationId, answer, rateLimit }: DescribedOperation,
  examples: Examples,
): ResponseObject {
  return {
    description: answer.description,
    headers: headersNamed(['x-request-id', ...limitHeaders(rateLimit), ...(answer.headers ?? [])]),
    content: {
      'application/json': {
        schema: schemaNamed(answer.schema),
        examples: namedExamples(answer.examples, examples.answers[operationId] ?? {}),
      },
    },
  };
}

function describeUnchanged({ answer: { unchanged }, rateLimit }: DescribedOperation): ResponsesObject {
  if (!unchanged) return {};
  const description = 'The answer is as it was when it had the `etag` that was sent. Costs nothing.';
  return {
    '304': { description, headers: headersNamed(['x-request-id', ...limitHeaders(rateLimit), ...unchanged]) },
  };
}

function limitHeaders(rateLimit: RateLimitGroup | undefined): readonly HeaderName[] {
  return rateLimit ? ['ratelimit', 'ratelimit-policy'] : [];
}

/** Titles of examples by name, with the body of each. */
function namedExamples(
  titles: Readonly<Record<string, string>>,
  bodies: Readonly<Record<string, unknown>>,
): ExamplesObject {
  return Object.fromEntries(
    Object.entries(titles).map(([name, summary]) => [name, { summary, value: bodies[name] }]),
  );
}
