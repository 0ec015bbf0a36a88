import {
  callReasons,
  callStates,
  type CallKey,
  type CallView,
  operations,
  searchFilters,
} from '@app/contracts';
import { type ParameterObject, type SchemaObject } from 'openapi3-ts/oas31';
import { requestIdPattern } from '../../http/requests/request-id.js';
import { type DescribedOperation } from '../../openapi/operation.js';
import { count, id, listOf, objectSchema, oneOf, schemaNamed, text, time } from '../../openapi/schemas.js';
import { daysDefault, daysMax } from '../../usage/usage-range.js';
import { type CallsParameters, pageSizeMax, type PageParameters } from './calls-parameters.js';
import { pageSizeDefault } from './calls-query.js';

type Described<Names extends string> = Readonly<Record<Names, Omit<ParameterObject, 'name' | 'in'>>>;

const page: Described<keyof PageParameters> = {
  limit: {
    description: 'Calls in the answer.',
    schema: { type: 'integer', minimum: 1, maximum: pageSizeMax, default: pageSizeDefault },
  },
  cursor: {
    description: 'Where the page begins: taken as it is from the `link` header of the page before.',
    schema: { type: 'string' },
  },
};

const conditions: Described<Exclude<keyof CallsParameters, keyof PageParameters>> = {
  from: {
    description: `The first day, UTC. Default: ${daysDefault} days up to \`to\`; at most ${daysMax} days.`,
    schema: { type: 'string', format: 'date' },
  },
  to: { description: 'The last day, UTC. Default: today.', schema: { type: 'string', format: 'date' } },
  key_id: { description: 'Calls with this key.', schema: { type: 'string', format: 'uuid' } },
  operation: { description: 'Calls of this operation.', schema: { type: 'string', enum: [...operations] } },
  state: { description: 'Calls in this state.', schema: { type: 'string', enum: [...callStates] } },
};

function queryOf(
  described: Readonly<Record<string, Omit<ParameterObject, 'name' | 'in'>>>,
): ParameterObject[] {
  return Object.entries(described).map(([name, rest]) => ({ name, in: 'query', ...rest }));
}

const orNull = (schema: SchemaObject, type: 'string' | 'integer' | 'array'): SchemaObject => ({
  ...schema,
  type: [type, 'null'],
});

export const listCallsOperation: DescribedOperation = {
  method: 'get',
  path: '/calls',
  operationId: 'listCalls',
  tag: 'Account',
  summary: 'What each call cost, and why',
  cost: '**Free.**',
  description:
    'The calls of your account, newest first. A call that is not here took nothing: it was refused, or failed before it was charged.',
  parameters: queryOf({ ...conditions, ...page }),
  rateLimit: 'account',
  answer: {
    description: 'A page of calls.',
    schema: 'Calls',
    headers: ['link'],
    examples: { calls: 'A profile, and a search' },
  },
  schemas: {
    Calls: objectSchema<{ readonly calls: readonly CallView[] }>('A page of calls.', {
      calls: listOf(schemaNamed('Call'), 'Newest first.'),
    }),
    Call: objectSchema<CallView>('A search or a profile that was charged, or free.', {
      request_id: text('The `x-request-id` of the call. Several calls may have the same.'),
      at: time('When it was charged.'),
      key: schemaNamed('CallKey'),
      operation: oneOf(operations, 'The operation.'),
      filters: orNull(
        listOf(oneOf(searchFilters, 'A filter.'), 'The filters of a search; `null` for a profile.'),
        'array',
      ),
      total: orNull(count('Creators that matched a search; `null` for a profile.'), 'integer'),
      credits: count('What your balance lacks because of the call.'),
      credits_returned: count('What was taken and has gone back, because the call failed.'),
      state: oneOf(
        callStates,
        '`posted`: you got the answer. `voided`: you did not. `pending`: not yet known.',
      ),
      reason: {
        type: ['string', 'null'],
        description: 'Why the call cost nothing; `null` for one that costs credits.',
        enum: [...callReasons, null],
      },
      repeat_of: orNull(text('Of a repetition: the request id of the call that was paid.'), 'string'),
    }),
    CallKey: objectSchema<CallKey>('The key that made the call.', {
      id: id('Its id.'),
      name: text('Its name.'),
      prefix: text('The first characters of the key.'),
    }),
  },
};

export const getCallsOperation: DescribedOperation = {
  method: 'get',
  path: '/calls/{request_id}',
  operationId: 'getCalls',
  tag: 'Account',
  summary: 'What became of one call',
  cost: '**Free.**',
  description:
    'Every call with this `x-request-id`, newest first, of any day. An empty list means that nothing was taken.',
  parameters: [
    {
      name: 'request_id',
      in: 'path',
      required: true,
      description: 'The `x-request-id` of the call.',
      schema: { type: 'string', pattern: requestIdPattern.source },
      example: 'order-4711',
    },
    ...queryOf(page),
  ],
  rateLimit: 'account',
  answer: {
    description: 'The calls with this request id.',
    schema: 'Calls',
    headers: ['link'],
    examples: { call: 'A profile that was paid', none: 'Nothing was taken' },
  },
  schemas: {},
};
