import {
  type SearchCriteria,
  type SearchPosition,
  type SortColumn,
  columnOf,
  sortColumnOf,
} from '../documents/search-document.js';
import { type RecordAccount, accountsOf } from '../documents/search-entry.js';
import {
  type DocumentSet,
  bitmapWords,
  countBits,
  fillBitmap,
  hasBit,
  intersectBitmap,
  intersectLists,
  isList,
  keepByBit,
  listBits,
  lowerBound,
  setBit,
  subtractBitmap,
} from '../postings/document-set.js';
import { rangeOf, writeRange } from '../postings/follower-columns.js';
import { type WordLookup, lookUpWord } from '../postings/grams.js';
import { documentsOfHash } from '../segments/account-table.js';
import { frequentFrom, markKnown } from '../segments/frequent-words.js';
import { type SegmentInUse, type Tombstones } from '../segments/segment-in-use.js';
import { segmentDocumentsMax } from '../segments/segment-writer.js';
import { type Segment } from '../segments/segment.js';

/** The matches of one segment. */
export interface SegmentMatches {
  readonly total: number;
  /** The documents of the page, in its order, and one more, which shows that there is another page. */
  readonly first: Uint16Array;
}

/** A search with everything computed that does not depend on the segment. */
export interface PreparedSearch {
  readonly criteria: SearchCriteria;
  readonly words: readonly WordLookup[];
  /** Column of the followers that are searched for. */
  readonly column: number;
  readonly sortColumn: SortColumn;
  /** The page begins after this position. */
  readonly after: SearchPosition | undefined;
}

export function prepareSearch(criteria: SearchCriteria): PreparedSearch {
  const [column, sortColumn] = [columnOf(criteria.platform), sortColumnOf(criteria)];
  const { after, maxFollowers: max } = criteria;
  // Sorted by the followers that it bounds, a page would be looked for among those who have more of them.
  const isBounded = column === sortColumn && max !== undefined && (after?.value ?? Infinity) > max;
  return {
    criteria,
    words: criteria.words.map(lookUpWord),
    column,
    sortColumn,
    after: isBounded ? { value: max, slug: '' } : after,
  };
}

/** Which matches of a segment to return. */
interface Page {
  /** Column that orders the page; `null`: the documents' numbers do. */
  readonly column: SortColumn;
  /** The first place in this order that may be on the page. */
  readonly from: number;
  readonly length: number;
}

const nothing: SegmentMatches = { total: 0, first: new Uint16Array(0) };

/** Reused by every search: searches run one after the other, each synchronously. */
const scratch = {
  bitmap: new Uint32Array(2_048),
  range: new Uint32Array(2_048),
  known: new Uint32Array(2_048),
  list: new Uint16Array(segmentDocumentsMax),
  places: new Uint32Array(2_048),
};

/** At most this many grams of a word are intersected: after the rarest, reading the texts is cheaper than more sets. */
const gramsPerWordMax = 3;

/** Finds the matching documents of one segment, without removed ones. */
export function searchSegment(
  segment: Segment,
  gone: Tombstones,
  { criteria, words, column, sortColumn, after }: PreparedSearch,
): SegmentMatches {
  const sets = setsOf(segment, criteria, words);
  if (sets === null) return nothing;
  const range = rangeBitmap(segment, criteria, column);
  if (range === null) return nothing;
  const bitmaps = sets.filter((set): set is Uint32Array => !isList(set));
  if (range !== undefined) bitmaps.push(range);
  const lists = sets.filter(isList).sort((one, other) => one.length - other.length);
  const unverified = words.flatMap(({ bytes }) => bytes ?? []);
  const [shortest] = lists;
  const from = after === undefined ? 0 : segment.firstAfter(after, sortColumn);
  const page = { column: sortColumn, from, length: criteria.limit + 1 };
  const [bitmap] = bitmaps;
  const isOneFacet = sets.length === 1 && words.length === 0 && range === undefined;
  if (isOneFacet && bitmap) return searchFacet(segment, gone, bitmap, page);
  if (shortest) return searchLists(segment, gone, shortest, lists, bitmaps, unverified, page);
  return searchBitmaps(segment, gone, bitmaps, unverified, page);
}

/** The sets that all must contain a document; `null` when one of them is empty. */
function setsOf(
  segment: Segment,
  { slug, country, category, language, platform, minFollowers, maxFollowers }: SearchCriteria,
  words: readonly WordLookup[],
): DocumentSet[] | null {
  const sets: (DocumentSet | null)[] = [];
  if (slug !== undefined) sets.push(documentOf(segment, slug));
  if (country !== undefined) sets.push(segment.facets.documentsWith('country', country));
  if (category !== undefined) sets.push(segment.facets.documentsWith('category', category));
  if (language !== undefined) sets.push(segment.facets.documentsWith('language', language));
  // A range of a platform's followers holds only documents with an account there.
  if (platform !== undefined && minFollowers === undefined && maxFollowers === undefined) {
    sets.push(segment.facets.documentsWith('platform', String(columnOf(platform))));
  }
  for (const { grams } of words) {
    const ofWord = grams.map((gram) => segment.documentsWithGram(gram));
    if (ofWord.includes(null)) return null;
    sets.push(...rarest(ofWord));
  }
  const found = sets.filter((set) => set !== null);
  return found.length < sets.length ? null : found;
}

function documentOf(segment: Segment, slug: string): DocumentSet | null {
  const number = segment.find(slug);
  return number < 0 ? null : Uint16Array.of(number);
}

function rarest(sets: (DocumentSet | null)[]): (DocumentSet | null)[] {
  if (sets.length <= gramsPerWordMax) return sets;
  const rank = (set: DocumentSet | null): number =>
    set !== null && isList(set) ? set.length : segmentDocumentsMax;
  return sets.sort((one, other) => rank(one) - rank(other)).slice(0, gramsPerWordMax);
}

/** The documents in the range of followers; `undefined` without such a filter, `null` when there are none. */
function rangeBitmap(
  segment: Segment,
  { minFollowers, maxFollowers }: SearchCriteria,
  columnNumber: number,
): Uint32Array | null | undefined {
  if (minFollowers === undefined && maxFollowers === undefined) return undefined;
  const column = segment.columns[columnNumber];
  if (!column) return null;
  const range = rangeOf(column, minFollowers ?? 0, maxFollowers ?? Number.MAX_SAFE_INTEGER);
  if (range.low === range.high) return null;
  const bitmap = scratch.range.subarray(0, bitmapWords(segment.size));
  writeRange(column, range, bitmap);
  return bitmap;
}

function searchLists(
  segment: Segment,
  gone: Tombstones,
  shortest: Uint16Array,
  lists: readonly Uint16Array[],
  bitmaps: readonly Uint32Array[],
  unverified: readonly Buffer[],
  page: Page,
): SegmentMatches {
  const found = scratch.list;
  let count = shortest.length;
  found.set(shortest);
  for (const other of lists.slice(1)) count = intersectLists(found.subarray(0, count), other, found);
  for (const bitmap of bitmaps) count = keepByBit(found, count, bitmap, 1);
  return verified(segment, gone, count, unverified, page);
}

/** The candidates in the scratch list that are not gone and contain every word. */
function verified(
  segment: Segment,
  gone: Tombstones,
  candidates: number,
  unverified: readonly Buffer[],
  page: Page,
): SegmentMatches {
  const found = scratch.list;
  let count = candidates;
  if (gone.count > 0) count = keepByBit(found, count, gone.bitmap, 0);
  for (const bytes of unverified) {
    scratch.known.fill(0);
    if (count >= frequentFrom) markKnown(segment.words, bytes, scratch.known);
    count = segment.keepByText(found, count, bytes, scratch.known);
  }
  return { total: count, first: firstOfList(segment, found.subarray(0, count), page) };
}

/** Searches by one facet: the total is known and only the documents of the page are listed, in a third of the time. */
function searchFacet(segment: Segment, gone: Tombstones, documents: Uint32Array, page: Page): SegmentMatches {
  const total = gone.countRemaining(documents);
  return { total, first: firstOfBitmap(segment, documents, total, page, gone.bitmap) };
}

function searchBitmaps(
  segment: Segment,
  gone: Tombstones,
  bitmaps: readonly Uint32Array[],
  unverified: readonly Buffer[],
  page: Page,
): SegmentMatches {
  const found = scratch.bitmap.subarray(0, bitmapWords(segment.size));
  const [initial, ...others] = bitmaps;
  if (initial) found.set(initial);
  else fillBitmap(found, segment.size);
  for (const other of others) intersectBitmap(found, other);
  if (unverified.length > 0) {
    return verified(segment, gone, listBits(found, scratch.list), unverified, page);
  }
  if (gone.count > 0) subtractBitmap(found, gone.bitmap);
  const total = initial ? countBits(found) : segment.size - gone.count;
  return { total, first: firstOfBitmap(segment, found, total, page) };
}

/** The page of so many matches that are not in `without`. */
function firstOfBitmap(
  segment: Segment,
  matches: Uint32Array,
  total: number,
  page: Page,
  without?: Uint32Array,
): Uint16Array {
  const { column, from, length } = page;
  const first = new Uint16Array(Math.min(total, length));
  if (column === null) return first.subarray(0, listBits(matches, first, from, without));
  // The rarer the matches are, the more documents are between them: a page of few is found sooner by placing each.
  if (total * total < length * segment.size) {
    const count = listBits(matches, scratch.list, 0, without);
    return firstOfList(segment, scratch.list.subarray(0, count), page);
  }
  const { documents } = segment.column(column);
  let count = 0;
  for (let at = documents.length - 1 - from; at >= 0 && count < first.length; at--) {
    const document = documents[at] ?? 0;
    if (hasBit(matches, document) && !(without && hasBit(without, document))) first[count++] = document;
  }
  return first.subarray(0, count);
}

/** The page of these matches, whose numbers ascend. */
function firstOfList(segment: Segment, matches: Uint16Array, { column, from, length }: Page): Uint16Array {
  if (column === null) {
    const start = lowerBound(matches, from);
    return matches.slice(start, start + length);
  }
  // A bitmap of their places sorts them without a comparison.
  const places = segment.places(column);
  const placed = scratch.places.fill(0);
  for (let at = 0; at < matches.length; at++) setBit(placed, places[matches[at] ?? 0] ?? 0);
  const first = new Uint16Array(Math.min(matches.length, length));
  const count = listBits(placed, first, from);
  return first.subarray(0, count).map((place) => segment.documentAt(place, column));
}

/** Whether an account has the key that is looked up. */
export type HasKey = (account: RecordAccount) => boolean;

/**
 * The first document of a segment, in the order of a search, with an account that has a key of this hash; `null` without
 * one.
 */
export function findAccount(
  { segment, gone }: SegmentInUse,
  hash: number,
  hasKey: HasKey,
): SearchPosition | null {
  for (const document of documentsOfHash(segment.accounts, hash)) {
    if (hasBit(gone.bitmap, document) || !accountsOf(segment.record(document)).some(hasKey)) continue;
    return { value: segment.valueOf(document, null), slug: segment.slug(document) };
  }
  return null;
}
