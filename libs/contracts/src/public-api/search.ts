import {
  type NamedFilter,
  namedFilters,
  SearchFilters,
  searchFilters,
  type SearchRequest,
  type SearchSort,
  searchSorts,
} from '../catalog/search.js';
import { type ErrorDetails } from '../errors.js';
import { AnyText, Choice, Integer, Raw } from '../shape/fields.js';
import { Many } from '../shape/nested-fields.js';
import { Both, Shape } from '../shape/shape.js';
import { Credits, PaidArguments } from './credits.js';
import { Creator } from '../catalog/profiles.js';
import { unpayableSearchLimit } from './limits.js';
import { operation } from './operation.js';

const cursorLengthMax = 500;

const rulesBetween = {
  crossFieldRule: (search: SearchFilters & { readonly sort: SearchSort }): ErrorDetails => {
    const { min_followers: min = 0, max_followers: max = Infinity, sort, platform } = search;
    const range = ['min_followers must not be greater than max_followers'];
    const order = ['sort=followers needs platform, whose followers decide; sort=reach needs none'];
    return {
      ...(min > max ? { min_followers: range, max_followers: range } : {}),
      ...(sort === 'followers' && platform === undefined ? { sort: order, platform: order } : {}),
    };
  },
};

/** The query of `GET /search`. */
@Shape('One page of a search.', rulesBetween)
export class SearchQuery extends SearchFilters {
  @Integer({
    min: 1,
    max: 100,
    default: 50,
    description: 'Creators in the answer. Not a filter: it costs nothing.',
  })
  readonly limit: SearchRequest['limit'];

  @Choice(searchSorts, {
    default: 'recent',
    description:
      '`recent`: most recently updated first. `reach`: largest `total_reach` first. `followers`: most followers on `platform` first, which is then required. Not a filter: it costs nothing.',
  })
  readonly sort: SearchSort;

  @Raw({
    max: cursorLengthMax,
    optional: true,
    description:
      'Where the page begins: copied from the `link` header of the previous page, with the same filters and `sort`. Not a filter: it costs nothing.',
  })
  readonly cursor?: string;
}

/** The arguments of the tool `search_creators`. A model reads every creator it gets: fewer than a program. */
@Shape('A search.', rulesBetween)
export class SearchArguments extends Both(SearchQuery, PaidArguments) {
  @Integer({ min: 1, max: 100, default: 10, description: 'Creators in the result.' })
  override readonly limit: number;

  @Raw({
    max: cursorLengthMax,
    optional: true,
    description: 'next_cursor of the previous result, with the same filters and sort.',
  })
  override readonly cursor?: string;
}

@Shape('One page of a search.')
export class SearchAnswer extends Credits {
  @Integer({ description: 'All creators that match, exactly.' })
  readonly total: number;

  @Integer({ description: 'Creators in this answer.' })
  readonly returned: number;

  @Many(() => Creator, { description: 'In the order of `sort`.' })
  readonly creators: readonly Creator[];
}

/** A filter whose value no creator has. */
export class UnknownFilter {
  @Choice(namedFilters)
  readonly filter: NamedFilter;

  @AnyText({ optional: true, description: 'The existing value that is nearest to it.' })
  readonly closest?: string;
}

/** The result of the tool `search_creators`: the answer of the API, with its headers as fields. */
export class SearchToolAnswer extends SearchAnswer {
  @Many(() => UnknownFilter, { optional: true })
  readonly unknown_filters?: readonly UnknownFilter[];

  @AnyText({ optional: true })
  readonly next_cursor?: string;
}

const filters = searchFilters.map((name) => `\`${name}\``).join(', ');

export const searchCreatorsOperation = operation({
  name: 'searchCreators',
  method: 'get',
  path: '/search',
  tag: 'Creators',
  paid: 'search',
  cost: `**1 credit, and 1 more for each filter used** (${filters}). **Free when no creator matches**, and when you already have the current answer (\`If-None-Match\`). While the balance, or the rest of the key's monthly limit, is below that price, only ${unpayableSearchLimit.calls} searches an hour run for the account; further ones return 402 or 403.`,
  limit: 'search',
  summary: 'Search creators',
  description: `Creators that match all the filters, in the order of \`sort\`. White space around a value is ignored. In a URL \`+\` is a space: for \`C++\` send \`q=C%2B%2B\`.

When more creators match than are shown, the \`link\` header has the next page, at the same price. Following these links to the end returns every creator that does not change in the meantime exactly once.

An unknown filter value matches nobody and is free: \`x-filters-unknown\` names the filters with such values and, if there is one, the closest value that exists. \`GET /filters\` lists the values.`,
  query: SearchQuery,
  answer: {
    shape: SearchAnswer,
    description: 'The creators that match, and what the search cost.',
    headers: ['link', 'x-filters-unknown'],
    unchanged: true,
    examples: {
      matches: 'Creators match: 1 credit for the search and 1 for its filter',
      none: 'No creator matches: free',
      repeated: 'Repeated with the same `Idempotency-Key`: free',
      lowBalance: 'The balance is low',
    },
  },
  tool: {
    name: 'search_creators',
    title: 'Search creators',
    description: [
      'Finds verified creators by words, country, category, language, platform and followers: most recently updated first, or largest first with sort.',
      `Costs 1 credit and 1 more for each filter used (${searchFilters.join(', ')}) when a creator matches; costs nothing when none does.`,
      'Take country, category and language from list_filters, which is free; usual English names and ISO codes find the same. A value that does not exist matches no creator, and unknown_filters names its filter and the closest value that exists.',
      'A link in q finds the creator who has the account.',
      'If the creator is known by a link or handle, use lookup_accounts, which is free.',
      'total is exact, whatever the limit. For more creators call again with the same filters and sort and next_cursor as cursor, at the same price.',
    ].join(' '),
    arguments: SearchArguments,
    answer: SearchToolAnswer,
  },
});
