import { columnCount, type SearchDocument } from '../documents/search-document.js';
import { type DocumentSet, uniteSets } from '../postings/document-set.js';
import { readSet } from '../postings/postings.js';
import { type FacetEntry, type FacetKind } from './segment-writer.js';

/** Takes a value of a facet in one spelling. The platform's value is its column. */
type TakeFacet = (kind: FacetKind, value: string, name: string) => void;

/** Gives the values of a document's facets; a value or a spelling may be there twice. */
export function forEachFacet(document: SearchDocument, take: TakeFacet): void {
  const { country, countryName, categories, languages, languageNames, followers } = document;
  take('country', country, countryName);
  for (const category of categories) take('category', category, category);
  languages.forEach((language, at) => take('language', language, languageNames[at] ?? language));
  for (let column = 1; column < columnCount; column++) {
    if (followers[column] !== null) take('platform', String(column), String(column));
  }
}

/** One spelling of a value, and the documents whose records have it. */
export interface FacetSpelling {
  readonly name: string;
  readonly set: DocumentSet;
}

/** One value of a facet, with the documents that have it in any spelling. */
export interface FacetValue {
  readonly kind: FacetKind;
  readonly value: string;
  readonly set: DocumentSet;
  readonly spellings: readonly FacetSpelling[];
}

interface StoredValue {
  readonly kind: FacetKind;
  readonly value: string;
  readonly entries: FacetEntry[];
  /** The documents of all spellings, once they were asked for. */
  set: DocumentSet | null;
}

/** The facets of a segment: its documents by country, category, language and platform. */
export class Facets {
  private readonly values = new Map<string, StoredValue>();

  constructor(
    entries: readonly FacetEntry[],
    private readonly sets: Uint32Array,
    private readonly documents: number,
  ) {
    for (const entry of entries) {
      const { kind, value } = entry;
      const key = `${kind} ${value}`;
      const known = this.values.get(key);
      if (known) known.entries.push(entry);
      else this.values.set(key, { kind, value, entries: [entry], set: null });
    }
  }

  /**
   * The documents with this value, always the same object; `null` when there are none. The platform's value is its column.
   */
  documentsWith(kind: FacetKind, value: string): DocumentSet | null {
    const stored = this.values.get(`${kind} ${value}`);
    return stored === undefined ? null : this.documentsOf(stored);
  }

  /** Every value of every facet. */
  *[Symbol.iterator](): Generator<FacetValue> {
    for (const stored of this.values.values()) {
      const { kind, value, entries } = stored;
      const spellings = entries.map((entry) => ({ name: entry.name ?? value, set: this.read(entry) }));
      yield { kind, value, set: this.documentsOf(stored), spellings };
    }
  }

  private documentsOf(stored: StoredValue): DocumentSet {
    return (stored.set ??= this.unite(stored.entries.map((entry) => this.read(entry))));
  }

  private unite(sets: readonly DocumentSet[]): DocumentSet {
    const [first] = sets;
    return first && sets.length === 1 ? first : uniteSets(sets, this.documents);
  }

  private read({ offset, size }: FacetEntry): DocumentSet {
    return readSet(this.sets, offset, size, this.documents);
  }
}
