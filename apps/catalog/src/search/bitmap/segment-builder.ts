import { bitmapWords, isSmallerAsList } from './document-set.js';
import { buildColumn } from './follower-columns.js';
import { PostingsBuilder, writeSet } from './postings-builder.js';
import { compareDocuments, columnCount, type SearchDocument } from './search-document.js';
import { joinSections } from './sections.js';
import { buildSlugTable } from './slug-table.js';

/** A segment numbers its documents with 16 bits, and one number is kept for "none". */
export const segmentDocumentsMax = 65_535;

/** A UTF-16 unit takes at most so many bytes of UTF-8. */
const bytesPerUnitMax = 3;

/** The numbers of a segment's sections; after these, three for each column of followers. */
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
  columns: 12,
} as const;

export const facetKinds = ['country', 'category', 'language', 'platform'] as const;
export type FacetKind = (typeof facetKinds)[number];

/** Where the set of a facet's value is: offset in units of four bytes, and documents. */
export interface FacetEntry {
  readonly kind: FacetKind;
  readonly value: string;
  readonly offset: number;
  readonly size: number;
}

/** Builds a segment of documents with different slugs: one buffer, never changed after. */
export function buildSegment(unordered: readonly SearchDocument[]): SharedArrayBuffer {
  if (unordered.length > segmentDocumentsMax) throw new Error('too many documents for a segment');
  const documents = [...unordered].sort(compareDocuments);
  const records = joinTexts(documents.map(({ record }) => record));
  const texts = joinTexts(documents.map(({ text }) => text));
  const postings = new PostingsBuilder();
  documents.forEach(({ text }, number) => {
    postings.add(number, text);
  });
  const grams = postings.build(documents.length);
  const facets = buildFacets(documents);
  const columns = Array.from({ length: columnCount }, (_, column) =>
    buildColumn(Float64Array.from(documents, ({ followers }) => followers[column] ?? NaN)),
  );
  return joinSections([
    Float64Array.from(documents, ({ updatedAt }) => updatedAt),
    records.offsets,
    records.bytes,
    texts.offsets,
    texts.bytes,
    buildSlugTable(documents.map(({ slug }) => slug)),
    grams.keys,
    grams.offsets,
    grams.sizes,
    grams.sets,
    Buffer.from(JSON.stringify(facets.entries)),
    facets.sets,
    ...columns.flatMap(({ values, documents: numbers, marks }) => [values, numbers, marks]),
  ]);
}

function joinTexts(texts: readonly string[]): { offsets: Uint32Array; bytes: Buffer } {
  const offsets = new Uint32Array(texts.length + 1);
  const bytes = Buffer.allocUnsafe(bytesPerUnitMax * texts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  texts.forEach((text, index) => {
    end += bytes.write(text, end);
    offsets[index + 1] = end;
  });
  return { offsets, bytes: bytes.subarray(0, end) };
}

function buildFacets(documents: readonly SearchDocument[]): { entries: FacetEntry[]; sets: Uint32Array } {
  const lists = new Map(facetKinds.map((kind) => [kind, new Map<string, number[]>()]));
  const add = (kind: FacetKind, value: string, document: number): void => {
    const list = lists.get(kind)?.get(value);
    if (list === undefined) lists.get(kind)?.set(value, [document]);
    else if (list.at(-1) !== document) list.push(document);
  };
  documents.forEach(({ country, categories, languages, followers }, number) => {
    add('country', country, number);
    for (const category of categories) add('category', category, number);
    for (const language of languages) add('language', language, number);
    for (let column = 1; column < columnCount; column++) {
      if (followers[column] !== null) add('platform', String(column), number);
    }
  });
  let words = 0;
  const all = [...lists].flatMap(([kind, values]) =>
    [...values].map(([value, list]) => ({ kind, value, list })),
  );
  const placed = all.map(({ kind, value, list }) => {
    const offset = words;
    const size = list.length;
    words += isSmallerAsList(size, documents.length) ? (size + 1) >>> 1 : bitmapWords(documents.length);
    return { entry: { kind, value, offset, size }, list };
  });
  const sets = new Uint32Array(words);
  for (const { entry, list } of placed) {
    writeSet(sets, entry.offset, Uint16Array.from(list), documents.length);
  }
  return { entries: placed.map(({ entry }) => entry), sets };
}
