import { type RecentDocuments } from '../documents/recent-documents.js';
import { countWithout } from '../postings/document-set.js';
import { forEachFacet } from '../segments/facets.js';
import { type SegmentInUse } from '../segments/segment-in-use.js';
import { compareTexts, type FacetKind, facetKey, facetKinds } from '../segments/segment-writer.js';

/** A value of a filter that finds creators. */
export interface FilterCount {
  /** Folded; the platform's value is its column. */
  readonly value: string;
  /** Name as most of the records spell it; of several spellings as frequent, the first one by its characters. */
  readonly name: string;
  /** How many a search for it finds. */
  readonly creators: number;
}

export type FilterCounts = Readonly<Record<FacetKind, readonly FilterCount[]>>;

interface Count {
  creators: number;
  readonly names: Map<string, number>;
}

/** Counts the creators with each value of each facet. */
export class FilterCounter {
  private readonly counts = new Map<FacetKind, Map<string, Count>>(
    facetKinds.map((kind) => [kind, new Map<string, Count>()]),
  );

  /** Counts creators with a value, of whom so many have this spelling of it. */
  add(kind: FacetKind, value: string, creators: number, name: string, ofName: number): void {
    const count = this.countOf(kind, value);
    count.creators += creators;
    addName(count, name, ofName);
  }

  addSegment({ segment, gone }: SegmentInUse): void {
    for (const { kind, value, set, spellings } of segment.facets) {
      const creators = gone.countRemaining(set);
      if (creators === 0) continue;
      const count = this.countOf(kind, value);
      count.creators += creators;
      for (const spelling of spellings) {
        // Nearly always the only one.
        const ofName = spellings.length === 1 ? creators : countWithout(spelling.set, gone.bitmap);
        if (ofName > 0) addName(count, spelling.name, ofName);
      }
    }
  }

  /** Counts each document once for each value and each spelling, however often it has them. */
  addDocuments(recent: RecentDocuments): void {
    for (const document of recent.all()) {
      const counted = new Set<Count>();
      const named = new Set<string>();
      forEachFacet(document, (kind, value, name) => {
        const count = this.countOf(kind, value);
        if (!counted.has(count)) count.creators += 1;
        if (!named.has(facetKey(kind, value, name))) addName(count, name, 1);
        counted.add(count);
        named.add(facetKey(kind, value, name));
      });
    }
  }

  /** The values with the most creators first, then by name. */
  counted(): FilterCounts {
    return {
      country: this.sorted('country'),
      category: this.sorted('category'),
      language: this.sorted('language'),
      platform: this.sorted('platform'),
    };
  }

  private countOf(kind: FacetKind, value: string): Count {
    const ofKind = this.counts.get(kind);
    const known = ofKind?.get(value);
    if (known) return known;
    const count: Count = { creators: 0, names: new Map() };
    ofKind?.set(value, count);
    return count;
  }

  private sorted(kind: FacetKind): FilterCount[] {
    const counts = [...(this.counts.get(kind) ?? [])].map(([value, { creators, names }]) => ({
      value,
      name: mostFrequent(names),
      creators,
    }));
    return counts.sort((one, other) => other.creators - one.creators || compareTexts(one.name, other.name));
  }
}

function addName({ names }: Count, name: string, creators: number): void {
  names.set(name, (names.get(name) ?? 0) + creators);
}

function mostFrequent(names: ReadonlyMap<string, number>): string {
  const [first] = [...names].sort(
    ([one, ones], [other, others]) => others - ones || compareTexts(one, other),
  );
  return first?.[0] ?? '';
}
