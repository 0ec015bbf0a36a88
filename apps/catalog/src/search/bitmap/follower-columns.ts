import { bitmapWords, setBit, clearBit, subtractBitmap } from './document-set.js';

/** One column of follower counts: the documents that have one, by their count. */
export interface FollowerColumn {
  /** Ascending. */
  readonly values: Float64Array;
  /** The document of each value. */
  readonly documents: Uint16Array;
  /** Bitmap `n` holds the documents of the first `n * markEvery` values. */
  readonly marks: Uint32Array;
}

const markEvery = 2_048;

/** `counts` has a number for every document; `NaN` stands for none. */
export function buildColumn(counts: Float64Array): FollowerColumn {
  const documents = Uint16Array.from(counts.keys()).filter((document) => !Number.isNaN(counts[document]));
  documents.sort((one, other) => (counts[one] ?? 0) - (counts[other] ?? 0));
  const words = bitmapWords(counts.length);
  const marks = new Uint32Array(words * (Math.floor(documents.length / markEvery) + 1));
  const sofar = new Uint32Array(words);
  documents.forEach((document, position) => {
    if (position % markEvery === 0) marks.set(sofar, words * (position / markEvery));
    setBit(sofar, document);
  });
  if (documents.length % markEvery === 0) marks.set(sofar, words * (documents.length / markEvery));
  return { values: Float64Array.from(documents, (document) => counts[document] ?? 0), documents, marks };
}

/** Positions `low` to below `high` of a column. */
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
  const from = Math.floor(high / markEvery);
  target.set(markOf(column, from, target.length));
  for (let position = from * markEvery; position < high; position++) {
    setBit(target, documents[position] ?? 0);
  }
  const below = Math.floor(low / markEvery);
  subtractBitmap(target, markOf(column, below, target.length));
  for (let position = below * markEvery; position < low; position++) {
    clearBit(target, documents[position] ?? 0);
  }
}

function markOf({ marks }: FollowerColumn, number: number, words: number): Uint32Array {
  return marks.subarray(number * words, (number + 1) * words);
}

function lowerBound(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
