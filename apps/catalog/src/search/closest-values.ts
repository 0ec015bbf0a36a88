import { setTimeout as sleep } from 'node:timers/promises';
import { type ClosestValues, countryKey, type Filters, languageKey, type NamedFilter } from '#contracts';
import { type SearchCriteria } from '#creator-index';
import { closestValue, type KnownValue } from './closest-value.js';
import { type SearchEngine } from './search-engine.js';

type KnownValues = Readonly<Record<NamedFilter, readonly KnownValue[]>>;

const limits = {
  /** A list of a second ago will do. */
  listedMs: 1_000,
  /** Counting the values of a large catalog takes long: this often as long passes before they are counted again. */
  restRatio: 10,
  /** How long a search waits for the first list. */
  waitMs: 200,
};

/** Suggests existing values for those that no creator has. A search never waits for long, and then does without. */
export class ClosestValueFinder {
  private known: KnownValues | null = null;
  private listing: Promise<KnownValues | null> | null = null;
  private listAgainAt = 0;

  constructor(private readonly engine: SearchEngine) {}

  /** For each of these filters of a search, the existing value that is nearest to its own, if one is near. */
  async find(criteria: SearchCriteria, unknown: readonly NamedFilter[]): Promise<ClosestValues> {
    const listing = this.list();
    const values = this.known ?? (await Promise.race([listing, sleep(limits.waitMs, null, { ref: false })]));
    if (!values) return {};
    const near = unknown.flatMap((filter) => {
      const closest = closestValue(criteria[filter] ?? '', values[filter]);
      return closest === null ? [] : [[filter, closest] as const];
    });
    if (near.length === 0) return {};
    const closest: ClosestValues = Object.fromEntries(near);
    // The list may be older than the last creator with a value.
    const gone = await this.engine.unknownFilters(keysOf(closest));
    return Object.fromEntries(near.filter(([filter]) => !gone.includes(filter)));
  }

  /** The list in the making; `null` while the known one is new enough. */
  private list(): Promise<KnownValues | null> | null {
    if (this.listing !== null || Date.now() < this.listAgainAt) return this.listing;
    const startedAt = Date.now();
    const counted = this.engine.filters().then(
      (filters) => (this.known = knownValues(filters)),
      () => null,
    );
    this.listing = counted.finally(() => {
      this.listing = null;
      const tookMs = Date.now() - startedAt;
      this.listAgainAt = Date.now() + Math.max(limits.listedMs, tookMs * limits.restRatio);
    });
    return this.listing;
  }
}

function keysOf({ country, category, language }: ClosestValues): SearchCriteria {
  return {
    words: [],
    limit: 1,
    ...(country === undefined ? {} : { country: countryKey(country) }),
    ...(category === undefined ? {} : { category }),
    ...(language === undefined ? {} : { language: languageKey(language) }),
  };
}

function knownValues({ countries, categories, languages }: Filters): KnownValues {
  return {
    country: countries.map(({ name }) => ({ key: countryKey(name), name })),
    category: categories.map(({ slug }) => ({ key: slug, name: slug })),
    language: languages.map(({ name }) => ({ key: languageKey(name), name })),
  };
}
