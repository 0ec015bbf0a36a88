import { bitmapWords, type DocumentSet, isSmallerAsList, setBit } from './document-set.js';

/** The gram postings of a segment, ready to be written. */
export interface Postings {
  /** Ascending. */
  readonly keys: Float64Array;
  /** Where the set of each key begins in `sets`, in units of four bytes. */
  readonly offsets: Uint32Array;
  /** Number of documents of each key, minus one. */
  readonly sizes: Uint16Array;
  readonly sets: Uint32Array;
}

/** The documents of each key, ascending, list after list: that of key `n` ends where that of key `n + 1` begins. */
export interface PostingLists {
  /** Ascending. */
  readonly keys: Float64Array;
  readonly starts: Uint32Array;
  readonly documents: Uint16Array;
}

/** Converts each list to the smaller of its two forms. */
export function packPostings({ keys, starts, documents }: PostingLists, documentCount: number): Postings {
  const sizes = new Uint16Array(keys.length);
  const offsets = new Uint32Array(keys.length);
  let words = 0;
  for (let position = 0; position < keys.length; position++) {
    const size = (starts[position + 1] ?? 0) - (starts[position] ?? 0);
    sizes[position] = size - 1;
    offsets[position] = words;
    words += isSmallerAsList(size, documentCount) ? (size + 1) >>> 1 : bitmapWords(documentCount);
  }
  const sets = new Uint32Array(words);
  for (let position = 0; position < keys.length; position++) {
    const list = documents.subarray(starts[position], starts[position + 1]);
    writeSet(sets, offsets[position] ?? 0, list, documentCount);
  }
  return { keys, offsets, sizes, sets };
}

/** Writes a sorted list of documents at an offset of four-byte units, in the smaller of its two forms. */
export function writeSet(sets: Uint32Array, offset: number, list: Uint16Array, documents: number): void {
  if (isSmallerAsList(list.length, documents)) {
    new Uint16Array(sets.buffer, sets.byteOffset + offset * 4, list.length).set(list);
    return;
  }
  const bitmap = sets.subarray(offset, offset + bitmapWords(documents));
  for (const document of list) setBit(bitmap, document);
}

/** Reads a set of so many documents, as `writeSet` wrote it. */
export function readSet(sets: Uint32Array, offset: number, size: number, documents: number): DocumentSet {
  if (!isSmallerAsList(size, documents)) return sets.subarray(offset, offset + bitmapWords(documents));
  return new Uint16Array(sets.buffer, sets.byteOffset + offset * 4, size);
}
