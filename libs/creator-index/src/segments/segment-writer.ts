import { bitmapWords, isSmallerAsList } from '../postings/document-set.js';
import { buildColumn } from '../postings/follower-columns.js';
import { type Postings, writeSet } from '../postings/postings.js';
import { type AccountTable } from './account-table.js';
import { collectFrequentWords } from './frequent-words.js';
import { type JoinedTexts, joinSections } from './sections.js';
import { buildSlugTable } from './slug-table.js';

/** A segment numbers its documents with 16 bits, and one number is reserved for "none". */
export const segmentDocumentsMax = 65_535;

/** The numbers of a segment's sections; three more for each column of followers come after these. */
export const section = {
  times: 0,
  recordOffsets: 1,
  records: 2,
  textOffsets: 3,
  texts: 4,
  slugs: 5,
  gramKeys: 6,
  gramOffsets: 7,
  gramSizes: 8,
  gramSets: 9,
  facets: 10,
  facetSets: 11,
  accountHashes: 12,
  accountDocuments: 13,
  wordBytes: 14,
  wordStarts: 15,
  wordEndings: 16,
  wordDocumentStarts: 17,
  wordDocuments: 18,
  columns: 19,
} as const;

export const facetKinds = ['country', 'category', 'language', 'platform'] as const;
export type FacetKind = (typeof facetKinds)[number];

/** Separates the spellings of all values: none has a line feed. */
export function facetKey(kind: FacetKind, value: string, name: string): string {
  return `${kind} ${value}\n${name}`;
}

/**
 * The location of the set of a facet's value in one spelling: offset in units of four bytes, and number of documents. A
 * value has one entry for each of its spellings.
 */
export interface FacetEntry {
  readonly kind: FacetKind;
  readonly value: string;
  /** How the records spell the value; absent when that is the value itself. */
  readonly name?: string;
  readonly offset: number;
  readonly size: number;
}

/** The documents with one spelling of a facet's value, ascending. The platform's value is its column. */
export interface FacetList {
  readonly kind: FacetKind;
  readonly value: string;
  readonly name: string;
  readonly documents: Uint16Array;
}

/** The contents of a segment. Documents are numbered in the order of a search. */
export interface SegmentContents {
  readonly times: Float64Array;
  readonly records: JoinedTexts;
  readonly texts: JoinedTexts;
  readonly slugs: readonly string[];
  readonly grams: Postings;
  readonly facets: readonly FacetList[];
  readonly accounts: AccountTable;
  /** For each column a count for every document; `NaN` without an account there. */
  readonly followers: readonly Float64Array[];
}

/** Writes a segment into one buffer. The same contents always produce the same bytes. */
export function writeSegment(contents: SegmentContents): SharedArrayBuffer {
  const { times, records, texts, slugs, grams, accounts, followers } = contents;
  const facets = placeFacets(contents.facets, times.length);
  const words = collectFrequentWords(texts);
  const lastSlugFirst = sortByLastSlug(slugs);
  const columns = followers.map((counts) => buildColumn(counts, lastSlugFirst));
  return joinSections([
    times,
    records.offsets,
    records.bytes,
    texts.offsets,
    texts.bytes,
    buildSlugTable(slugs),
    grams.keys,
    grams.offsets,
    grams.sizes,
    grams.sets,
    Buffer.from(JSON.stringify(facets.entries)),
    facets.sets,
    accounts.hashes,
    accounts.documents,
    words.bytes,
    words.starts,
    words.endings,
    words.documentStarts,
    words.documents,
    ...columns.flatMap(({ values, documents, marks }) => [values, documents, marks]),
  ]);
}

/** All documents, the last slug first. */
function sortByLastSlug(slugs: readonly string[]): Uint16Array {
  const all = Uint16Array.from(slugs.keys());
  return all.sort((one, other) => compareTexts(slugs[other] ?? '', slugs[one] ?? ''));
}

function placeFacets(
  lists: readonly FacetList[],
  documents: number,
): { entries: FacetEntry[]; sets: Uint32Array } {
  const ordered = [...lists].sort(
    (one, other) =>
      compareTexts(one.kind, other.kind) ||
      compareTexts(one.value, other.value) ||
      compareTexts(one.name, other.name),
  );
  let words = 0;
  const entries = ordered.map(({ kind, value, name, documents: { length: size } }) => {
    const offset = words;
    words += isSmallerAsList(size, documents) ? (size + 1) >>> 1 : bitmapWords(documents);
    return { kind, value, ...(name === value ? {} : { name }), offset, size };
  });
  const sets = new Uint32Array(words);
  ordered.forEach((list, index) => {
    writeSet(sets, entries[index]?.offset ?? 0, list.documents, documents);
  });
  return { entries, sets };
}

/** Texts in the order of their characters. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
