import { type SortedSource, mergeSorted } from '../documents/merge-sorted.js';
import { columnCount } from '../documents/search-document.js';
import {
  type DocumentSet,
  bitmapWords,
  fillBitmap,
  isList,
  listBits,
  subtractBitmap,
} from '../postings/document-set.js';
import { type Postings, packPostings } from '../postings/postings.js';
import { type AccountTable, AccountTableBuilder } from './account-table.js';
import { type FacetList, facetKey, segmentDocumentsMax, writeSegment } from './segment-writer.js';
import { type JoinedTexts } from './sections.js';
import { Segment } from './segment.js';

/** A segment, and which of its documents are gone. */
export interface MergePart {
  readonly buffer: SharedArrayBuffer;
  readonly gone: Uint32Array;
}

/** A segment being merged: its remaining documents, and the new number of each document. */
interface Source {
  readonly segment: Segment;
  readonly remaining: Uint16Array;
  readonly numbers: Uint16Array;
}

interface MergedDocument {
  readonly source: Source;
  readonly document: number;
}

/** In place of the new number of a document that is gone. */
const none = 0xffff;

/**
 * Merges the remaining documents of several segments into one. No text is parsed again: the parts' sets are renumbered. The result
 * is byte-identical to a segment built from the same documents.
 */
export function mergeSegments(parts: readonly MergePart[]): SharedArrayBuffer {
  const sources = parts.map(toSource).filter(({ remaining }) => remaining.length > 0);
  const merged = mergeSorted(sources.map(inOrder), segmentDocumentsMax + 1).entries;
  if (merged.length > segmentDocumentsMax) throw new Error('too many documents for a segment');
  merged.forEach(({ source, document }, number) => {
    source.numbers[document] = number;
  });
  const followers = Array.from({ length: columnCount }, (_, column) =>
    mergeFollowers(sources, column, merged.length),
  );
  return writeSegment({
    times: Float64Array.from(merged, ({ source, document }) => source.segment.times[document] ?? 0),
    records: joinTexts(merged.map(({ source, document }) => source.segment.recordBytes(document))),
    texts: joinTexts(merged.map(({ source, document }) => source.segment.textBytes(document))),
    slugs: merged.map(({ source, document }) => source.segment.slug(document)),
    grams: mergePostings(sources, merged.length),
    facets: mergeFacets(sources),
    accounts: mergeAccounts(sources),
    followers,
  });
}

function toSource({ buffer, gone }: MergePart): Source {
  const segment = new Segment(buffer);
  const bitmap = new Uint32Array(bitmapWords(segment.size));
  fillBitmap(bitmap, segment.size);
  subtractBitmap(bitmap, gone);
  const remaining = new Uint16Array(segment.size);
  const count = listBits(bitmap, remaining);
  return {
    segment,
    remaining: remaining.subarray(0, count),
    numbers: new Uint16Array(segment.size).fill(none),
  };
}

function inOrder(source: Source): SortedSource<MergedDocument> {
  const { segment, remaining } = source;
  const document = (position: number): number => remaining[position] ?? 0;
  return {
    length: remaining.length,
    value: (position) => segment.times[document(position)] ?? 0,
    slug: (position) => segment.slug(document(position)),
    entry: (position) => ({ source, document: document(position) }),
  };
}

function joinTexts(texts: readonly Uint8Array[]): JoinedTexts {
  const offsets = new Uint32Array(texts.length + 1);
  const bytes = new Uint8Array(sum(texts, ({ length }) => length));
  let end = 0;
  texts.forEach((text, index) => {
    bytes.set(text, end);
    end += text.length;
    offsets[index + 1] = end;
  });
  return { offsets, bytes };
}

function mergeFollowers(sources: readonly Source[], columnNumber: number, documents: number): Float64Array {
  const counts = new Float64Array(documents).fill(NaN);
  for (const { segment, numbers } of sources) {
    const column = segment.columns[columnNumber];
    column?.documents.forEach((document, position) => {
      const number = numbers[document] ?? none;
      if (number !== none) counts[number] = column.values[position] ?? 0;
    });
  }
  return counts;
}

function mergeFacets(sources: readonly Source[]): FacetList[] {
  const lists = new Map<string, FacetList>();
  for (const { segment, numbers } of sources) {
    for (const { kind, value, spellings } of segment.facets) {
      for (const { name, set } of spellings) {
        const key = facetKey(kind, value, name);
        const before = lists.get(key)?.documents ?? new Uint16Array();
        const documents = new Uint16Array(before.length + segment.size);
        documents.set(before);
        const end = renumber(set, numbers, documents, before.length);
        if (end > 0) lists.set(key, { kind, value, name, documents: documents.slice(0, end) });
      }
    }
  }
  for (const { documents } of lists.values()) documents.sort();
  return [...lists.values()];
}

function mergeAccounts(sources: readonly Source[]): AccountTable {
  const builder = new AccountTableBuilder(sum(sources, ({ segment }) => segment.accounts.hashes.length));
  for (const { segment, numbers } of sources) {
    const { hashes, documents } = segment.accounts;
    hashes.forEach((hash, at) => {
      const number = numbers[documents[at] ?? 0] ?? none;
      if (number !== none) builder.add(hash, number);
    });
  }
  return builder.build();
}

function mergePostings(sources: readonly Source[], documentCount: number): Postings {
  const readers = sources.map((source) => ({ ...source, position: 0 }));
  const keysMax = sum(sources, ({ segment }) => segment.gramKeys.length);
  const keys = new Float64Array(keysMax);
  const starts = new Uint32Array(keysMax + 1);
  const documents = new Uint16Array(sum(sources, ({ segment }) => gramPairs(segment)));
  let count = 0;
  let end = 0;
  for (;;) {
    let key = Infinity;
    for (const { segment, position } of readers) {
      key = Math.min(key, segment.gramKeys[position] ?? Infinity);
    }
    if (key === Infinity) break;
    const start = end;
    let lists = 0;
    for (const reader of readers) {
      const { segment, numbers, position } = reader;
      if (segment.gramKeys[position] !== key) continue;
      end = renumber(segment.documentsOfGram(position), numbers, documents, end);
      reader.position += 1;
      lists += 1;
    }
    if (end === start) continue;
    if (lists > 1) documents.subarray(start, end).sort();
    keys[count++] = key;
    starts[count] = end;
  }
  return packPostings(
    { keys: keys.slice(0, count), starts: starts.subarray(0, count + 1), documents },
    documentCount,
  );
}

function gramPairs(segment: Segment): number {
  let pairs = 0;
  for (let position = 0; position < segment.gramKeys.length; position++) pairs += segment.gramSize(position);
  return pairs;
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

const scratch = new Uint16Array(segmentDocumentsMax);

/** Writes the new numbers of a set's documents into `target` from `start` on; returns where they end. */
function renumber(set: DocumentSet, numbers: Uint16Array, target: Uint16Array, start: number): number {
  const list = isList(set) ? set : scratch;
  const length = isList(set) ? set.length : listBits(set, scratch);
  let end = start;
  for (let at = 0; at < length; at++) {
    const number = numbers[list[at] ?? 0] ?? none;
    if (number !== none) target[end++] = number;
  }
  return end;
}
