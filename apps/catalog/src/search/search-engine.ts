import {
  type Filters,
  type NamedFilter,
  type NextPage,
  type SearchSummary,
  filterValuesMax,
  platforms,
} from '#contracts';
import {
  type FilterCount,
  type FilterCounts,
  type SearchCriteria,
  type SearchPosition,
} from '#creator-index';
import { type AccountKey } from '../lookup/account-key.js';

export interface SearchPage extends Omit<SearchSummary, 'unknown_filters' | 'closest_values'> {
  /** The JSON array of its entries, ready to be sent. */
  readonly creators: Buffer;
}

/** What a keyword asks for. */
export interface Keyword {
  /** Folded, each once. */
  readonly words: readonly string[];
  /** The keys of the account that each link among the words names. */
  readonly links: readonly (readonly AccountKey[])[];
}

/** The criteria of a search before its links are looked up. */
export interface LinkedCriteria extends SearchCriteria, Partial<Pick<Keyword, 'links'>> {}

const noMatch: SearchPage = { total: 0, returned: 0, next: null, creators: Buffer.from('[]') };

/**
 * Finds published creators: `total` is exact and of the same instant as the page; newest `updated_at` first and creators without
 * platforms last, or most followers first; then by slug in byte order.
 */
export abstract class SearchEngine {
  /** A link in a keyword stands for the creator whom a look-up of it finds, who must also match everything else. */
  async search({ links = [], ...criteria }: LinkedCriteria): Promise<SearchPage> {
    if (links.length === 0) return this.find(criteria);
    const [slug = null, ...others] = new Set(await this.lookUp(links));
    return slug === null || others.length > 0 ? noMatch : this.find({ ...criteria, slug });
  }

  protected abstract find(criteria: SearchCriteria): Promise<SearchPage>;

  /** The filters of a search whose value no published creator has, regardless of the other filters. */
  abstract unknownFilters(criteria: SearchCriteria): Promise<NamedFilter[]>;

  /**
   * For each looked-up account, given by its keys, the slug of the creator that has it: by the first key that any creator
   * has; of several creators with a key, the first one in the order of a search; `null` without one.
   */
  abstract lookUp(accounts: readonly (readonly AccountKey[])[]): Promise<(string | null)[]>;

  /** The values of the filters with which a search finds creators, and how many. */
  abstract filters(): Promise<Filters>;
}

/** A position in the order of a search, as sent between services. */
export function toNextPage({ slug, value }: SearchPosition, { sort }: SearchCriteria): NextPage {
  if (sort !== undefined) return { slug, updated_at: null, followers: value };
  return { slug, updated_at: Number.isFinite(value) ? new Date(value).toISOString() : null };
}

/** Counted values, as they are sent between services: no more of a filter than a reply may hold. */
export function toFiltersReply({ country, category, language, platform }: FilterCounts): Filters {
  return {
    countries: first(country).map(toNamed),
    categories: first(category).map(({ value, creators }) => ({ slug: value, creators })),
    languages: first(language).map(toNamed),
    platforms: platform
      .flatMap(({ value, creators }) => {
        const name = platforms[Number(value) - 1];
        return name === undefined ? [] : [{ platform: name, creators }];
      })
      .sort((one, other) => other.creators - one.creators || (one.platform < other.platform ? -1 : 1)),
  };
}

function first(counts: readonly FilterCount[]): readonly FilterCount[] {
  return counts.slice(0, filterValuesMax);
}

function toNamed({ name, creators }: FilterCount): { name: string; creators: number } {
  return { name, creators };
}
