import {
  type CategoryFilterValue,
  type FiltersReply,
  filterValuesMax,
  type NamedFilterValue,
  type PlatformFilterValue,
  platforms,
} from '@app/contracts';
import { type DescribedOperation } from '../../openapi/operation.js';
import { ifNoneMatchParameter } from '../../openapi/request-headers.js';
import { count, listOf, objectSchema, oneOf, schemaNamed, text } from '../../openapi/schemas.js';

const creators = count('Creators that a search for it finds.');

export const listFiltersOperation: DescribedOperation = {
  method: 'get',
  path: '/filters',
  operationId: 'listFilters',
  tag: 'Look-ups',
  summary: 'What can be searched for',
  cost: '**Free.**',
  description: `The values of \`country\`, \`category\`, \`language\` and \`platform\` with which a search finds creators: those with the most creators first, at most ${filterValuesMax} of each.`,
  parameters: [ifNoneMatchParameter],
  rateLimit: 'account',
  answer: {
    description: 'The values of each filter.',
    schema: 'Filters',
    headers: ['etag'],
    unchanged: ['etag'],
    examples: { filters: 'The first values of each filter' },
  },
  schemas: {
    Filters: objectSchema<FiltersReply>('The values that four filters of a search take.', {
      countries: listOf(schemaNamed('NamedFilterValue'), 'For `country`.'),
      categories: listOf(schemaNamed('CategoryFilterValue'), 'For `category`.'),
      languages: listOf(schemaNamed('NamedFilterValue'), 'For `language`.'),
      platforms: listOf(schemaNamed('PlatformFilterValue'), 'For `platform`.'),
    }),
    NamedFilterValue: objectSchema<NamedFilterValue>('A country or a language.', {
      name: text('Its name.'),
      creators,
    }),
    CategoryFilterValue: objectSchema<CategoryFilterValue>('A category.', {
      slug: text('Its slug.'),
      creators,
    }),
    PlatformFilterValue: objectSchema<PlatformFilterValue>('A platform.', {
      platform: oneOf(platforms, 'The platform.'),
      creators,
    }),
  },
};
