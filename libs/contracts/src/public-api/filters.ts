import { type Platform, platforms } from '../catalog/profiles.js';
import { RequestOfKey } from '../catalog/test-creators.js';
import { NoPayload, toCatalog } from '../message.js';
import { AnyText, Choice, Integer } from '../shape/fields.js';
import { Many, One } from '../shape/nested-fields.js';
import { Shape } from '../shape/shape.js';
import { operation } from './operation.js';

/** Values of one filter: bounds an answer for a catalog in which a field has free text. */
export const filterValuesMax = 1_000;

const found = { description: 'Creators that a search for it returns.' };

@Shape('A country or a language, spelled as in most of the records that have it.')
export class NamedFilterValue {
  @AnyText({ description: 'Its name.' })
  readonly name: string;

  @Integer(found)
  readonly creators: number;
}

@Shape('A category.')
export class CategoryFilterValue {
  @AnyText({ description: 'Its slug.' })
  readonly slug: string;

  @Integer(found)
  readonly creators: number;
}

@Shape('A platform.')
export class PlatformFilterValue {
  @Choice(platforms, { description: 'The platform.' })
  readonly platform: Platform;

  @Integer(found)
  readonly creators: number;
}

@Shape('The values that four filters of a search take: those with the most creators first, then by name.')
export class Filters {
  @Many(() => NamedFilterValue, { description: 'For `country`.' })
  readonly countries: readonly NamedFilterValue[];

  @Many(() => CategoryFilterValue, { description: 'For `category`.' })
  readonly categories: readonly CategoryFilterValue[];

  @Many(() => NamedFilterValue, { description: 'For `language`.' })
  readonly languages: readonly NamedFilterValue[];

  @Many(() => PlatformFilterValue, { description: 'For `platform`.' })
  readonly platforms: readonly PlatformFilterValue[];
}

/** The arguments of the tool `list_filters`. */
export class FiltersArguments {
  @Integer({
    min: 1,
    max: filterValuesMax,
    default: 50,
    description: 'Values of each filter in the result; totals says how many there are.',
  })
  readonly limit: number;
}

/** How many values each filter has. */
export class FilterTotals {
  @Integer()
  readonly countries: number;

  @Integer()
  readonly categories: number;

  @Integer()
  readonly languages: number;

  @Integer()
  readonly platforms: number;
}

/** The result of the tool `list_filters`. */
export class FiltersToolAnswer extends Filters {
  @One(() => FilterTotals)
  readonly totals: FilterTotals;
}

export class ListFiltersRequest extends RequestOfKey {}

/** Only reads: may be sent twice. */
export const listFilters = toCatalog<Filters>()('list_filters', ListFiltersRequest);

/** How large and how fresh the catalog is, for everyone. */
export interface CatalogFacts {
  /** Published ones. */
  readonly creators: number;
  readonly countries: number;
  readonly platforms: number;
  /** The newest `updated_at` of an account, ISO 8601 UTC; `null`: of fewer than two creators. */
  readonly newest_updated_at: string | null;
}

/** Only reads: may be sent twice. */
export const describeCatalog = toCatalog<CatalogFacts>()('describe_catalog', NoPayload);

export const listFiltersOperation = operation({
  name: 'listFilters',
  method: 'get',
  path: '/filters',
  tag: 'Look-ups',
  limit: 'account',
  summary: 'Values to search for',
  description: `The values of \`country\`, \`category\`, \`language\` and \`platform\` that have creators, those with the most first, at most ${filterValuesMax} of each.`,
  answer: {
    shape: Filters,
    description: 'The values of each filter.',
    unchanged: true,
    examples: { filters: 'The first values of each filter' },
  },
  tool: {
    name: 'list_filters',
    title: 'List filters',
    description: [
      'Lists the countries, categories, languages and platforms that search_creators can filter by, with how many creators each has, most first.',
      'Free. Start here: a search for a value that is not listed matches no creator.',
    ].join(' '),
    arguments: FiltersArguments,
    answer: FiltersToolAnswer,
  },
});
