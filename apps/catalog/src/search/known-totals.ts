import { type IndexedState, type SearchCriteria } from '#creator-index';

/** How many creators a search found, and in which state of the catalog. */
export interface KnownTotal {
  readonly total: number;
  readonly state: IndexedState;
}

/** The totals of the latest searches. Each is right only while the catalog is in the state of then, which is for the reader to check. */
export class KnownTotals {
  private readonly totals = new Map<string, KnownTotal>();

  constructor(private readonly entriesMax = 10_000) {}

  /** The same for every page of a search. */
  find(criteria: SearchCriteria): KnownTotal | undefined {
    return this.totals.get(keyOf(criteria));
  }

  keep(criteria: SearchCriteria, known: KnownTotal): void {
    const key = keyOf(criteria);
    this.totals.delete(key);
    this.totals.set(key, known);
    if (this.totals.size <= this.entriesMax) return;
    const [oldest] = this.totals.keys();
    if (oldest !== undefined) this.totals.delete(oldest);
  }
}

function keyOf({
  words,
  slug,
  country,
  category,
  language,
  platform,
  minFollowers,
  maxFollowers,
}: SearchCriteria): string {
  const rest = [slug, country, category, language, platform, minFollowers, maxFollowers];
  return JSON.stringify([words, ...rest.map((value) => value ?? null)]);
}
