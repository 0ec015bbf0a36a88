import { bitmapWords, flipBit, lowerBound, setBit } from './document-set.js';

/** One column of follower counts: the documents that have one, ordered by their count. Backwards, they are in the order of a search. */
export interface FollowerColumn {
  /** Ascending. */
  readonly values: Float64Array;
  /** The document of each value; of equal ones, the last slug is first. */
  readonly documents: Uint16Array;
  /** Bitmap `n` holds the documents of the first `n * markEvery` values. */
  readonly marks: Uint32Array;
}

const markEvery = 2_048;

/** `counts` has a number for every document; `NaN` means none. `lastSlugFirst`: all documents. */
export function buildColumn(counts: Float64Array, lastSlugFirst: Uint16Array): FollowerColumn {
  const values = counts.filter((count) => !Number.isNaN(count)).sort();
  const documents = inOrderOf(values, counts, lastSlugFirst);
  const words = bitmapWords(counts.length);
  const marks = new Uint32Array(words * (Math.floor(documents.length / markEvery) + 1));
  const sofar = new Uint32Array(words);
  documents.forEach((document, position) => {
    if (position % markEvery === 0) marks.set(sofar, words * (position / markEvery));
    setBit(sofar, document);
  });
  if (documents.length % markEvery === 0) marks.set(sofar, words * (documents.length / markEvery));
  return { values, documents, marks };
}

/** The document of each sorted value, among equal values as in `order`. Faster than sorting with a comparison. */
function inOrderOf(values: Float64Array, counts: Float64Array, order: Uint16Array): Uint16Array {
  const documents = new Uint16Array(values.length);
  /** How many documents have been placed in the run of equal values that begins here. */
  const placed = new Uint16Array(values.length);
  order.forEach((document) => {
    const count = counts[document] ?? NaN;
    if (Number.isNaN(count)) return;
    const first = lowerBound(values, count);
    const before = placed[first] ?? 0;
    documents[first + before] = document;
    placed[first] = before + 1;
  });
  return documents;
}

/** The place of each document when the column is read backwards: 0 for the largest count. */
export function placesIn({ documents: inColumn }: FollowerColumn, documents: number): Uint16Array {
  const places = new Uint16Array(documents);
  const last = inColumn.length - 1;
  for (let position = 0; position <= last; position++) places[inColumn[position] ?? 0] = last - position;
  return places;
}

/** Positions from `low` to below `high` of a column. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export function rangeOf({ values }: FollowerColumn, min: number, max: number): Range {
  const low = lowerBound(values, min);
  return { low, high: Math.max(low, lowerBound(values, max + 1)) };
}

/** Writes the documents of a range into `target`, a bitmap over all documents. */
export function writeRange(column: FollowerColumn, { low, high }: Range, target: Uint32Array): void {
  const { documents } = column;
  if (high - low <= markEvery) {
    target.fill(0);
    for (let position = low; position < high; position++) setBit(target, documents[position] ?? 0);
    return;
  }
  // The marks hold each other: what only one of them has is between them.
  const [lowMark, highMark] = [nearestMark(column, low), nearestMark(column, high)];
  const belowLow = markOf(column, lowMark, target.length);
  const belowHigh = markOf(column, highMark, target.length);
  for (let word = 0; word < target.length; word++) {
    target[word] = (belowLow[word] ?? 0) ^ (belowHigh[word] ?? 0);
  }
  flipBits(target, documents, lowMark * markEvery, low);
  flipBits(target, documents, highMark * markEvery, high);
}

function nearestMark({ documents }: FollowerColumn, position: number): number {
  return Math.min(Math.round(position / markEvery), Math.floor(documents.length / markEvery));
}

function markOf({ marks }: FollowerColumn, number: number, words: number): Uint32Array {
  return marks.subarray(number * words, (number + 1) * words);
}

/** Adds the documents at the positions between two to a bitmap, or removes them where it has them. */
function flipBits(bitmap: Uint32Array, documents: Uint16Array, one: number, other: number): void {
  const end = Math.max(one, other);
  for (let position = Math.min(one, other); position < end; position++) {
    flipBit(bitmap, documents[position] ?? 0);
  }
}
