import { operations, type UsageReply, type UsageRow } from '@app/contracts';
import { type ParameterObject } from 'openapi3-ts/oas31';
import { type DescribedOperation } from '../../openapi/operation.js';
import { count, day, id, listOf, objectSchema, oneOf, schemaNamed } from '../../openapi/schemas.js';
import { daysDefault, daysMax } from '../../usage/usage-range.js';

const parameters: readonly ParameterObject[] = [
  {
    name: 'from',
    in: 'query',
    description: `The first day, UTC. Default: ${daysDefault} days up to \`to\`.`,
    schema: { type: 'string', format: 'date' },
  },
  {
    name: 'to',
    in: 'query',
    description: 'The last day, UTC. Default: today.',
    schema: { type: 'string', format: 'date' },
  },
];

export const getUsageOperation: DescribedOperation = {
  method: 'get',
  path: '/usage',
  operationId: 'getUsage',
  tag: 'Account',
  summary: 'What you have spent',
  cost: '**Free.**',
  description: `Answered calls and their credits by day, key and operation. Both days are included, ${daysMax} at most. Calls that failed are not in it: they cost nothing.`,
  parameters,
  rateLimit: 'account',
  answer: {
    description: 'The usage of these days.',
    schema: 'Usage',
    examples: { usage: 'Searches and a profile of one day' },
  },
  schemas: {
    Usage: objectSchema<UsageReply>('Calls and credits of some days.', {
      from: day('The first day.'),
      to: day('The last day.'),
      usage: listOf(schemaNamed('UsageRow'), 'Days without a call are left out.'),
    }),
    UsageRow: objectSchema<UsageRow>('The calls of one operation with one key on one day.', {
      day: day('The day, UTC.'),
      key_id: id('The key.'),
      operation: oneOf(operations, 'The operation.'),
      calls: count('Calls that were answered.'),
      credits: count('What they cost together.'),
    }),
  },
};
