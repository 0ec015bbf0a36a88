import fc from 'fast-check';
import { propertyRuns } from '#testing/random';
import { randomDocuments } from '../documents/random-documents.fixture.js';
import { type SearchDocument } from '../documents/search-document.js';
import { buildSegment } from './build-segment.js';
import { type MergePart, mergeSegments } from './segment-merger.js';
import { thinnedSegment } from './thinned-segment.fixture.js';

interface PartOptions {
  readonly documents: number;
  readonly seed: number;
  readonly gonePerCent: number;
}

/**
 * Segments with the documents dealt in turn, so that each has some of every slug and time, and the remaining documents.
 */
function partsOf(options: readonly PartOptions[]): { parts: MergePart[]; left: SearchDocument[] } {
  const left: SearchDocument[] = [];
  const parts = options.map(({ documents, seed, gonePerCent }, part) => {
    const given = randomDocuments(documents, seed).map((document) => renamed(document, part));
    const thinned = thinnedSegment(given, seed, gonePerCent);
    left.push(...thinned.left.keys());
    return { buffer: thinned.segment.buffer, gone: thinned.gone.bitmap };
  });
  return { parts, left };
}

/** The part is a suffix, so that slugs of several parts alternate in their order. */
function renamed(document: SearchDocument, part: number): SearchDocument {
  const { slug, record } = document;
  return { ...document, slug: `${slug}-${part}`, record: record.replace(slug, `${slug}-${part}`) };
}

function expectSameBytes(one: SharedArrayBuffer, other: SharedArrayBuffer): void {
  expect(one.byteLength).toBe(other.byteLength);
  expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true);
}

const partOptions: fc.Arbitrary<PartOptions> = fc.record({
  documents: fc.oneof(fc.nat(3), fc.nat(400)),
  seed: fc.nat(1_000),
  gonePerCent: fc.constantFrom(0, 0, 5, 50, 95, 100),
});

describe('merged segments', () => {
  it('have the bytes of a segment built of the remaining documents', () => {
    fc.assert(
      fc.property(fc.array(partOptions, { maxLength: 5 }), (options) => {
        const { parts, left } = partsOf(options);
        expectSameBytes(mergeSegments(parts), buildSegment(left));
      }),
      { numRuns: propertyRuns(15) },
    );
  });

  it('are refused when they are too many for one', () => {
    const { parts } = partsOf([{ documents: 1_320, seed: 1, gonePerCent: 0 }]);
    expect(() => mergeSegments(Array.from({ length: 50 }, () => parts).flat())).toThrow('too many');
  });
});
