import { setTimeout as sleep } from 'node:timers/promises';
import { type ClosestValues, countryKey, type Filters, languageKey, type NamedFilter } from '#contracts';
import { type SearchCriteria } from '#creator-index';
import { type SearchEngine } from './search-engine.js';

/** A value of a filter, and the key by which it is compared. */
interface KnownValue {
  readonly key: string;
  readonly name: string;
}

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

/** So few letters may be missing, wrong or in another order: a quarter of them. */
const lettersPerMistake = 4;
const mistakesMax = 3;

/** The name of the value that a misspelled one most probably means: of several as near, the first. `null` when none is near. */
export function closestValue(misspelled: string, values: Iterable<KnownValue>): string | null {
  const letters = [...misspelled];
  let most = Math.min(mistakesMax, Math.floor(letters.length / lettersPerMistake));
  let closest: string | null = null;
  for (const { key, name } of values) {
    if (most === 0) break;
    const mistakes = countMistakes(letters, [...key], most);
    if (mistakes > most) continue;
    closest = name;
    most = mistakes - 1;
  }
  return closest;
}

/** Letters that are added, left out, replaced or exchanged with the next one; a number above `most` when there are more. */
function countMistakes(one: readonly string[], other: readonly string[], most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of one.entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of other.entries()) {
      const replaced = (last[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      const added = Math.min(last[column + 1] ?? 0, current[column] ?? 0) + 1;
      const isExchanged = letter === other[column - 1] && one[row - 1] === otherLetter;
      const exchanged = isExchanged ? (beforeLast[column - 1] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, added, exchanged));
    }
    if (Math.min(...current, ...last) > most) return most + 1;
    [beforeLast, last] = [last, current];
  }
  return last.at(-1) ?? 0;
}
