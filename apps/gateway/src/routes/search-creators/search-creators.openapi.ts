import { type CreatorView, platforms, searchFilters, type SearchSummary } from '@app/contracts';
import { type ParameterObject, type SchemaObject } from 'openapi3-ts/oas31';
import { type Credits } from '../../charging/paid-answer.js';
import { creditFields } from '../../openapi/credit-fields.js';
import { creatorFields, platformSchemas } from '../../openapi/creator-fields.js';
import { type DescribedOperation } from '../../openapi/operation.js';
import { idempotencyKeyParameter } from '../../openapi/request-headers.js';
import { count, listOf, objectSchema, schemaNamed } from '../../openapi/schemas.js';
import {
  followersMax,
  limitMax,
  limitMin,
  type SearchParameters,
  textLengthMax,
} from './search-parameters.js';
import { limitDefault } from './search-query.js';

type Entry = Pick<CreatorView, 'slug' | 'name' | 'url' | 'country' | 'total_reach'> & {
  readonly platforms: readonly object[];
};
type Answer = Omit<SearchSummary, 'next' | 'unknown_filters'> &
  Credits & { readonly creators: readonly Entry[] };

const textRules: SchemaObject = { type: 'string', minLength: 1, maxLength: textLengthMax };
const followerRules: SchemaObject = { type: 'integer', format: 'int64', minimum: 0, maximum: followersMax };

const parameters: Readonly<Record<keyof SearchParameters, Omit<ParameterObject, 'name' | 'in'>>> = {
  q: {
    description:
      "Every word must occur in the creator's name or in one of the handles. Case, accents and a leading `@` don't matter. In a URL `+` is a space: for `C++` send `q=C%2B%2B`.",
    schema: textRules,
  },
  country: { description: 'Country name, for example `France`.', schema: textRules },
  category: {
    description: 'Niche, by name or slug: `Food & Drink` and `food-drink` are the same.',
    schema: textRules,
  },
  language: { description: 'Content language, for example `French`.', schema: textRules },
  platform: {
    description: 'Creators with an account there. All of their accounts are shown.',
    schema: { type: 'string', enum: [...platforms] },
  },
  min_followers: {
    description: 'Minimum number of followers: on `platform` if given, otherwise in total.',
    schema: followerRules,
  },
  max_followers: {
    description: 'Maximum number of followers: on `platform` if given, otherwise in total.',
    schema: followerRules,
  },
  limit: {
    description: 'Creators in the answer. Not a filter: it costs nothing.',
    schema: { type: 'integer', minimum: limitMin, maximum: limitMax, default: limitDefault },
  },
  cursor: {
    description:
      'Where the page begins: taken as it is from the `link` header of the page before, with the same filters. Not a filter: it costs nothing.',
    schema: { type: 'string' },
  },
};

const filters = searchFilters.map((name) => `\`${name}\``).join(', ');

export const searchCreatorsOperation: DescribedOperation = {
  method: 'get',
  path: '/search',
  operationId: 'searchCreators',
  tag: 'Creators',
  summary: 'Search creators',
  cost: `**1 credit, and 1 more for each filter used** (${filters}). **Free when no creator matches.** While the balance is lower than that price, 20 searches an hour are run; further ones are a 402.`,
  description: `Creators that match all the filters, most recently updated first. White space around a value is ignored.

When more creators match than are shown, the \`link\` header has the next page, at the same price. Following these links to the end returns every creator that does not change in the meantime exactly once.

A search with a value that no creator has is free and matches none: \`x-filters-unknown\` names the filters with such a value. \`GET /filters\` lists the values.`,
  parameters: [
    ...Object.entries(parameters).map(([name, rest]) => ({ name, in: 'query' as const, ...rest })),
    idempotencyKeyParameter,
  ],
  rateLimit: 'search',
  answer: {
    description: 'The creators that match, and what the search cost.',
    schema: 'SearchAnswer',
    headers: [
      'link',
      'x-filters-unknown',
      'x-credits-used',
      'x-credits-remaining',
      'x-credits-warning',
      'idempotent-replayed',
    ],
    examples: {
      matches: 'Creators match: 1 credit for the search and 1 for its filter',
      none: 'No creator matches: free',
      repeated: 'Repeated with the same `Idempotency-Key`: free',
      lowBalance: 'The balance is low',
    },
  },
  errors: [402, 409, 422],
  schemas: {
    SearchAnswer: objectSchema<Answer>(
      'One page of a search.',
      {
        total: count('All creators that match, exactly.'),
        returned: count('Creators in this answer.'),
        ...creditFields,
        creators: listOf(schemaNamed('Creator'), 'Most recently updated first.'),
      },
      ['warning'],
    ),
    Creator: objectSchema<Entry>('A creator in a search.', {
      ...creatorFields,
      platforms: listOf(schemaNamed('PlatformAccount'), 'On all platforms, also when a search named one.'),
    }),
    ...platformSchemas,
  },
};
