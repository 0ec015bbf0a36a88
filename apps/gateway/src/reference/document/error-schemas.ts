import { type SchemaObject } from 'openapi3-ts/oas31';
import { type ErrorBody } from '../../errors/error-body.js';
import { type ProblemDetails } from '../../errors/problem-details.js';
import { count, objectSchema, text } from '../../openapi/schemas.js';

type Body<Addition extends keyof ErrorBody = never> = Required<Pick<ErrorBody, 'error' | Addition>>;
type Problem<Addition extends keyof ProblemDetails = never> = Required<
  Pick<ProblemDetails, 'type' | 'title' | 'status' | 'detail' | 'request_id' | Addition>
>;

const details: SchemaObject = {
  type: 'object',
  description: 'Each parameter or header that is not valid, with what is wrong with it.',
  additionalProperties: { type: 'array', items: { type: 'string' } },
};
const credits = {
  credits_needed: count('What the call costs.'),
  credits_remaining: count('The balance.'),
};
const error = { error: text('What is wrong, and how to mend it.') };
const problem = {
  type: text('Identifies the kind of error; a name, not a URL to fetch.', { format: 'uri' }),
  title: text('The name of the HTTP status.'),
  status: { type: 'integer', description: 'The HTTP status.', minimum: 400, maximum: 599 },
  detail: text('What is wrong, and how to mend it.'),
  request_id: text('The `x-request-id` of the answer.'),
} satisfies Record<string, SchemaObject>;

const sameAsProblem = 'for clients whose `Accept` names `application/problem+json` (RFC 9457)';

/** The bodies of errors (spec 7), and the same as problem details. */
export const errorSchemas: Readonly<Record<string, SchemaObject>> = {
  Error: objectSchema<Body>('An error.', error),
  ValidationError: objectSchema<Body<'details'>>('Parameters or headers that are not valid.', {
    ...error,
    details,
  }),
  InsufficientCreditsError: objectSchema<Body<'credits_needed' | 'credits_remaining'>>(
    'The balance is lower than the price of the call.',
    { ...error, ...credits },
  ),
  Problem: objectSchema<Problem>(`An error, ${sameAsProblem}.`, problem),
  ValidationProblem: objectSchema<Problem<'details'>>(
    `Parameters or headers that are not valid, ${sameAsProblem}.`,
    { ...problem, details },
  ),
  InsufficientCreditsProblem: objectSchema<Problem<'credits_needed' | 'credits_remaining'>>(
    `The balance is lower than the price of the call, ${sameAsProblem}.`,
    { ...problem, ...credits },
  ),
};
