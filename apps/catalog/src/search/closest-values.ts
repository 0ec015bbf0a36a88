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
  /** Counting the values of a large catalog takes long: they are counted again after this often as long, and after a second at least. */
  restRatio: 10,
  restMsMin: 1_000,
  /** How long a search waits for the first list. */
  waitMs: 200,
};

/** Suggests existing values for those that no creator has. A search never waits for long, and then does without. */
export class ClosestValueFinder {
  private known: KnownValues | null = null;
  private listing: Promise<void> | null = null;
  private listAgainAt = 0;

  constructor(private readonly engine: SearchEngine) {}

  /** For each of these filters of a search, the existing value that is nearest to its own, if one is near. */
  async find(criteria: SearchCriteria, unknown: readonly NamedFilter[]): Promise<ClosestValues> {
    if (Date.now() >= this.listAgainAt) {
      this.listing ??= this.list().finally(() => (this.listing = null));
    }
    if (!this.known) await Promise.race([this.listing, sleep(limits.waitMs, null, { ref: false })]);
    const { known } = this;
    if (!known) return {};
    const near = unknown.flatMap((filter) => {
      const closest = closestValue(criteria[filter] ?? '', known[filter]);
      return closest === null ? [] : [[filter, closest] as const];
    });
    if (near.length === 0) return {};
    // The list may be older than the last creator with a value.
    const keys = near.map(([filter, name]) => [filter, keyOf[filter](name)] as const);
    const gone = await this.engine.unknownFilters({ words: [], limit: 1, ...Object.fromEntries(keys) });
    return Object.fromEntries(near.filter(([filter]) => !gone.includes(filter)));
  }

  private async list(): Promise<void> {
    const startedAt = Date.now();
    try {
      this.known = knownValues(await this.engine.filters());
    } catch {
      // Suggestions are only help; the list of before, if any, will do.
    }
    const tookMs = Date.now() - startedAt;
    this.listAgainAt = Date.now() + Math.max(limits.restMsMin, tookMs * limits.restRatio);
  }
}

/** The key of an existing value; a category is one itself. */
const keyOf: Readonly<Record<NamedFilter, (name: string) => string>> = {
  country: countryKey,
  category: (slug) => slug,
  language: languageKey,
};

function knownValues({ countries, categories, languages }: Filters): KnownValues {
  return {
    country: countries.map(({ name }) => ({ key: keyOf.country(name), name })),
    category: categories.map(({ slug }) => ({ key: slug, name: slug })),
    language: languages.map(({ name }) => ({ key: keyOf.language(name), name })),
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
