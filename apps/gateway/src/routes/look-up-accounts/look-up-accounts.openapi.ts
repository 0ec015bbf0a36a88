import { platforms, soughtAccountsMax } from '@app/contracts';
import { type ParameterObject, type SchemaObject } from 'openapi3-ts/oas31';
import { type DescribedOperation } from '../../openapi/operation.js';
import { listOf, objectSchema, oneOf, schemaNamed, text } from '../../openapi/schemas.js';
import { type FoundCreator } from './found-creator.js';
import { type SoughtField } from './sought-account.js';

const fields: Readonly<Record<SoughtField, SchemaObject>> = {
  url: text('A link to a profile, in any form in which people paste it. Alone, without the other two.'),
  platform: oneOf(platforms, 'The platform of `handle`.'),
  handle: text('The name of the account, with or without `@`.'),
};

const parameters: ParameterObject[] = Object.entries(fields).map(
  ([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }),
);

const slug: SchemaObject = {
  type: ['string', 'null'],
  description: 'The creator who has the account; `null` when no published creator has it.',
};

export const lookUpAccountOperation: DescribedOperation = {
  method: 'get',
  path: '/lookup',
  operationId: 'lookUpAccount',
  tag: 'Look-ups',
  summary: 'Find a creator by a link or a handle',
  cost: '**Free.**',
  description:
    'Give `url` (percent-encoded), or `platform` and `handle`. A link that is not one to a profile on the five platforms, to a post for example, is a 400 that says why.',
  parameters,
  rateLimit: 'lookup',
  answer: {
    description: 'The creator, if one has the account.',
    schema: 'LookUpAnswer',
    examples: { found: 'A creator has the account', none: 'No creator has it' },
  },
  schemas: {
    LookUpAnswer: objectSchema<{ readonly slug: string | null }>('Who has an account.', { slug }),
  },
};

export const lookUpAccountsOperation: DescribedOperation = {
  method: 'post',
  path: '/lookup',
  operationId: 'lookUpAccounts',
  tag: 'Look-ups',
  summary: `Find the creators of up to ${soughtAccountsMax} links and handles`,
  cost: '**Free.**',
  description:
    'The results are in the order asked. One that names no account does not fail the others: its `problem` says why.',
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaNamed('SoughtAccounts'),
        example: {
          accounts: [
            { url: 'https://www.youtube.com/@mirasolenne' },
            { platform: 'x', handle: '@mirasolenne' },
          ],
        },
      },
    },
  },
  rateLimit: 'lookup',
  answer: {
    description: 'A result for each account.',
    schema: 'LookUpsAnswer',
    examples: { results: 'A creator, an account that no creator has, and a link that names none' },
  },
  errors: [413, 415],
  schemas: {
    SoughtAccounts: {
      type: 'object',
      description: 'What to look up.',
      required: ['accounts'],
      additionalProperties: false,
      properties: {
        accounts: {
          ...listOf(schemaNamed('SoughtAccount'), 'Links and handles.'),
          minItems: 1,
          maxItems: soughtAccountsMax,
        },
      },
    },
    SoughtAccount: {
      type: 'object',
      description: 'An account: `url`, or `platform` and `handle`.',
      properties: fields,
      additionalProperties: false,
      oneOf: [{ required: ['url'] }, { required: ['platform', 'handle'] }],
    },
    LookUpsAnswer: objectSchema<{ readonly results: readonly FoundCreator[] }>('Who has some accounts.', {
      results: listOf(schemaNamed('LookUpResult'), 'In the order asked.'),
    }),
    LookUpResult: objectSchema<FoundCreator>(
      'Who has an account.',
      { slug, problem: text('Why what was given names no account.') },
      ['problem'],
    ),
  },
};
