import { type DocumentSet, bitmapWords, countWithout, hasBit, setBit } from '../postings/document-set.js';
import { Segment } from './segment.js';

/** The documents of a segment that are gone: deleted, hidden, or replaced in a later one. */
export class Tombstones {
  readonly bitmap: Uint32Array;
  count = 0;
  /** Until another document is gone. */
  private readonly remaining = new Map<DocumentSet, number>();

  constructor(documents: number) {
    this.bitmap = new Uint32Array(bitmapWords(documents));
  }

  add(document: number): void {
    if (hasBit(this.bitmap, document)) return;
    setBit(this.bitmap, document);
    this.count += 1;
    this.remaining.clear();
  }

  /** How many documents of a facet's set are not gone. */
  countRemaining(set: DocumentSet): number {
    const known = this.remaining.get(set);
    if (known !== undefined) return known;
    const count = countWithout(set, this.bitmap);
    this.remaining.set(set, count);
    return count;
  }
}

/** A segment that is being searched. */
export interface SegmentInUse {
  readonly segment: Segment;
  readonly gone: Tombstones;
}

/** Prepares a segment for searches, with nothing gone from it yet. */
export function useSegment(buffer: SharedArrayBuffer): SegmentInUse {
  const segment = new Segment(buffer);
  return { segment, gone: new Tombstones(segment.size) };
}

/** The memory that a segment would take without the documents that are gone. */
export function bytesNeeded({ segment, gone }: SegmentInUse): number {
  return segment.size === 0 ? 0 : (segment.buffer.byteLength * (segment.size - gone.count)) / segment.size;
}

/**
 * Makes V8 free a replaced buffer soon. It doesn't count shared buffers when it decides when to collect garbage, so
 * replaced ones could add up to more than those in use. An ordinary buffer of this size, dropped at once, counts; it
 * takes no memory, as nothing is written to it.
 */
export function promptGarbageCollection({ byteLength }: SharedArrayBuffer): void {
  new ArrayBuffer(byteLength);
}

/** The creators whose documents are gone now, but were not according to an earlier copy of the bitmap. */
export function slugsDeletedSince({ segment, gone }: SegmentInUse, before: Uint32Array): string[] {
  const slugs: string[] = [];
  gone.bitmap.forEach((word, index) => {
    for (let news = word & ~(before[index] ?? 0); news !== 0; news &= news - 1) {
      slugs.push(segment.slug(index * 32 + 31 - Math.clz32(news & -news)));
    }
  });
  return slugs;
}
