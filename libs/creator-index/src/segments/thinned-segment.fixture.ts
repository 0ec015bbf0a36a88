import { numbersFrom } from '#testing/random';
import { searchNaively } from '../documents/random-documents.fixture.js';
import { type SearchDocument } from '../documents/search-document.js';
import { buildSegment } from './build-segment.js';
import { Tombstones } from './segment-in-use.js';
import { Segment } from './segment.js';

export type ThinnedSegment = ReturnType<typeof thinnedSegment>;

/** A segment of which about this percentage is gone, at random. */
export function thinnedSegment(given: readonly SearchDocument[], seed: number, gonePerCent: number) {
  const segment = new Segment(buildSegment(given));
  const gone = new Tombstones(segment.size);
  /** All documents in the order of a search, as they are numbered. */
  const documents = searchNaively(given, { words: [], limit: 1 });
  /** The number of each remaining document. */
  const left = new Map<SearchDocument, number>();
  const next = numbersFrom(seed + 1);
  documents.forEach((document, number) => {
    if (next(100) < gonePerCent) gone.add(number);
    else left.set(document, number);
  });
  return { segment, gone, documents, left };
}
