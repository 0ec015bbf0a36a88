import { type SearchCriteria, type SearchPosition, columnOf } from '../documents/search-document.js';
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
  /** The documents of the page and one more, which shows that there is another page. */
  readonly first: Uint16Array;
}

/** A search with everything computed that does not depend on the segment. */
export interface PreparedSearch {
  readonly criteria: SearchCriteria;
  readonly words: readonly WordLookup[];
  readonly column: number;
}

export function prepareSearch(criteria: SearchCriteria): PreparedSearch {
  return { criteria, words: criteria.words.map(lookUpWord), column: columnOf(criteria.platform) };
}

/** Which matches of a segment to return. */
interface Page {
  /** The number of the first document that may be on the page. */
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
};

/** At most this many grams of a word are intersected: after the rarest, reading the texts is cheaper than more sets. */
const gramsPerWordMax = 3;

/** Finds the matching documents of one segment, without removed ones. */
export function searchSegment(
  segment: Segment,
  gone: Tombstones,
  { criteria, words, column }: PreparedSearch,
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
  const from = criteria.after === undefined ? 0 : segment.firstAfter(criteria.after);
  const page = { from, length: criteria.limit + 1 };
  const [bitmap] = bitmaps;
  const isOneFacet = sets.length === 1 && words.length === 0 && range === undefined;
  if (isOneFacet && bitmap) return searchFacet(gone, bitmap, page);
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
  const start = lowerBound(found, page.from, 0, count);
  return { total: count, first: found.slice(start, Math.min(count, start + page.length)) };
}

/** Of a facet alone, the total is known and only the documents of the page are listed: a third of the time. */
function searchFacet(gone: Tombstones, documents: Uint32Array, page: Page): SegmentMatches {
  const total = gone.countRemaining(documents);
  const first = new Uint16Array(Math.min(total, page.length));
  const count = listBits(documents, first, page.from, gone.bitmap);
  return { total, first: first.subarray(0, count) };
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
  const first = new Uint16Array(Math.min(total, page.length));
  const count = listBits(found, first, page.from);
  return { total, first: first.subarray(0, count) };
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
    return { updatedAt: segment.times[document] ?? 0, slug: segment.slug(document) };
  }
  return null;
}
