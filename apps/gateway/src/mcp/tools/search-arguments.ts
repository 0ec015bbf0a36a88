import { platforms, type SearchRequest } from '@app/contracts';
import { priceSearch } from '../../charging/price-search.js';
import { searchParameterNames } from '../../routes/search-creators/search-parameters.js';
import { readSearch } from '../../routes/search-creators/search-query.js';
import { maxCreditsName, maxCreditsProblems, maxCreditsSchema, refuseIfDearer } from './max-credits.js';
import { readArguments } from './read-arguments.js';
import { type ToolArguments } from './tool.js';

/** A model reads every creator that it is given: fewer than the API gives to a program. */
const limitDefault = 10;
const argumentNames = [...searchParameterNames, maxCreditsName];

const filterText = { type: 'string', minLength: 1, maxLength: 100 } as const;
const followers = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

/** The parameters of the API, for a model. What it can't say is in the sentence of the error. */
export const searchInputSchema = {
  type: 'object' as const,
  properties: {
    q: {
      ...filterText,
      description: "Words that must all occur in the creator's name or in one of its handles.",
    },
    country: { ...filterText, description: 'One country by name, as in list_filters, for example France.' },
    category: {
      ...filterText,
      description: 'One niche by name or slug, as in list_filters, for example fitness.',
    },
    language: { ...filterText, description: 'One content language by name, as in list_filters.' },
    platform: { type: 'string', enum: [...platforms], description: 'Creators with an account there.' },
    min_followers: {
      ...followers,
      description: 'On platform when it is given, else on all platforms together.',
    },
    max_followers: { ...followers, description: 'Likewise.' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: limitDefault,
      description: 'Creators in the result.',
    },
    cursor: { type: 'string', description: 'next_cursor of the result before, with the same filters.' },
    [maxCreditsName]: maxCreditsSchema,
  } satisfies Record<(typeof argumentNames)[number], object>,
  additionalProperties: false,
};

/** The search that is asked for. Throws `invalid_request` that names every invalid argument, or says what it could cost. */
export function readSearchArguments(toolArguments: ToolArguments): SearchRequest {
  const { values, problems } = readArguments(toolArguments, argumentNames);
  const search = readSearch(
    { values, problems: { ...problems, ...maxCreditsProblems(values) } },
    limitDefault,
  );
  refuseIfDearer(values, priceSearch(search, 1), 'This search costs up to');
  return search;
}
