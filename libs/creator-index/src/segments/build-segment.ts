import {
  type Change,
  type SearchDocument,
  columnCount,
  sortDocuments,
} from '../documents/search-document.js';
import { PostingsBuilder } from '../postings/postings-builder.js';
import { type AccountTable, AccountTableBuilder } from './account-table.js';
import { forEachFacet } from './facets.js';
import { type FacetList, facetKey, segmentDocumentsMax, writeSegment } from './segment-writer.js';
import { type JoinedTexts } from './sections.js';
import { hashText } from './slug-table.js';

/** A UTF-16 unit takes at most this many bytes of UTF-8. */
const bytesPerUnitMax = 3;

/** Builds a segment of documents with distinct slugs: one immutable buffer. */
export function buildSegment(unordered: readonly SearchDocument[]): SharedArrayBuffer {
  if (unordered.length > segmentDocumentsMax) throw new Error('too many documents for a segment');
  const documents = sortDocuments(unordered, null);
  const postings = new PostingsBuilder();
  documents.forEach(({ text }, number) => {
    postings.add(number, text);
  });
  return writeSegment({
    times: Float64Array.from(documents, ({ updatedAt }) => updatedAt),
    records: joinTexts(documents.map(({ record }) => record)),
    texts: joinTexts(documents.map(({ text }) => text)),
    slugs: documents.map(({ slug }) => slug),
    grams: postings.build(documents.length),
    facets: facetsOf(documents),
    accounts: accountsOf(documents),
    followers: Array.from({ length: columnCount }, (_, column) =>
      Float64Array.from(documents, ({ followers }) => followers[column] ?? NaN),
    ),
  });
}

function joinTexts(texts: readonly string[]): JoinedTexts {
  const offsets = new Uint32Array(texts.length + 1);
  const bytes = Buffer.allocUnsafe(bytesPerUnitMax * texts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  texts.forEach((text, index) => {
    end += bytes.write(text, end);
    offsets[index + 1] = end;
  });
  return { offsets, bytes: bytes.subarray(0, end) };
}

function accountsOf(documents: readonly SearchDocument[]): AccountTable {
  const builder = new AccountTableBuilder(
    documents.reduce((sum, { accountKeys }) => sum + accountKeys.length, 0),
  );
  documents.forEach(({ accountKeys }, number) => {
    for (const key of accountKeys) builder.add(hashText(key), number);
  });
  return builder.build();
}

interface CollectedFacet extends Omit<FacetList, 'documents'> {
  readonly documents: number[];
}

/** The documents of each spelling of each value. */
function facetsOf(documents: readonly SearchDocument[]): FacetList[] {
  const lists = new Map<string, CollectedFacet>();
  documents.forEach((document, number) => {
    forEachFacet(document, (kind, value, name) => {
      const key = facetKey(kind, value, name);
      const list = lists.get(key);
      if (list === undefined) lists.set(key, { kind, value, name, documents: [number] });
      else if (list.documents.at(-1) !== number) list.documents.push(number);
    });
  });
  return Array.from(lists.values(), (list) => ({ ...list, documents: Uint16Array.from(list.documents) }));
}

/** Changes, with a segment of their documents: all that the index needs of them. */
export interface ChangedSegment {
  /** Every changed creator, including those deleted or hidden now. */
  readonly slugs: readonly string[];
  /** The segment of the remaining documents; `null` without any. */
  readonly segment: SharedArrayBuffer | null;
}

/** Few enough that the index takes only a few milliseconds to apply them. */
export const changesPerSegment = 1_000;

export function toChangedSegment(changes: readonly Change[]): ChangedSegment {
  const documents = changes.flatMap(({ document }) => document ?? []);
  return {
    slugs: changes.map(({ slug }) => slug),
    segment: documents.length > 0 ? buildSegment(documents) : null,
  };
}
