import { compareDocuments, columnCount, type SearchDocument } from '../documents/search-document.js';
import { PostingsBuilder } from '../postings/postings-builder.js';
import {
  type FacetKind,
  facetKinds,
  type FacetList,
  type JoinedTexts,
  segmentDocumentsMax,
  writeSegment,
} from './segment-writer.js';
import { buildSlugTable } from './slug-table.js';

/** A UTF-16 unit takes at most this many bytes of UTF-8. */
const bytesPerUnitMax = 3;

/** Builds a segment of documents with distinct slugs: one immutable buffer. */
export function buildSegment(unordered: readonly SearchDocument[]): SharedArrayBuffer {
  if (unordered.length > segmentDocumentsMax) throw new Error('too many documents for a segment');
  const documents = [...unordered].sort(compareDocuments);
  const postings = new PostingsBuilder();
  documents.forEach(({ text }, number) => {
    postings.add(number, text);
  });
  return writeSegment({
    times: Float64Array.from(documents, ({ updatedAt }) => updatedAt),
    records: joinTexts(documents.map(({ record }) => record)),
    texts: joinTexts(documents.map(({ text }) => text)),
    slugs: buildSlugTable(documents.map(({ slug }) => slug)),
    grams: postings.build(documents.length),
    facets: facetsOf(documents),
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

function facetsOf(documents: readonly SearchDocument[]): FacetList[] {
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
  return [...lists].flatMap(([kind, values]) =>
    [...values].map(([value, list]) => ({ kind, value, documents: Uint16Array.from(list) })),
  );
}
