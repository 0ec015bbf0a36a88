import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { chooseMerge, type SegmentSize } from './merge-policy.js';

const max = 65_535;
const live = ({ documents, gone }: SegmentSize): number => documents - gone;

const sizeArbitrary = fc
  .tuple(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max })), fc.nat(100))
  .map(([documents, per]) => ({ documents, gone: Math.floor((documents * per) / 100) }));
const segmentsArbitrary = fc.array(sizeArbitrary, { maxLength: 40 });

/** The power of four that a number of documents has reached. */
function tierOf(segment: SegmentSize): number {
  let tier = 0;
  while (4 ** (tier + 1) <= live(segment)) tier += 1;
  return tier;
}

function merged(chosen: readonly SegmentSize[]): SegmentSize {
  return { documents: chosen.reduce((sum, segment) => sum + live(segment), 0), gone: 0 };
}

function afterMerging(segments: readonly SegmentSize[], chosen: readonly SegmentSize[]): SegmentSize[] {
  const made = merged(chosen);
  return [...segments.filter((segment) => !chosen.includes(segment)), ...(made.documents > 0 ? [made] : [])];
}

it('merging ends with at most three segments of a size, except where four do not fit into one', () => {
  fc.assert(
    fc.property(segmentsArbitrary, (given) => {
      let segments: SegmentSize[] = given;
      let steps = 0;
      for (let chosen = chooseMerge(segments); chosen.length > 0; chosen = chooseMerge(segments)) {
        const before = segments.reduce((sum, segment) => sum + live(segment), 0);
        expect(merged(chosen).documents).toBeLessThanOrEqual(max);
        segments = afterMerging(segments, chosen);
        expect(segments.reduce((sum, segment) => sum + live(segment), 0)).toBe(before);
        expect((steps += 1)).toBeLessThanOrEqual(given.length * 2);
      }
      expect(segments.filter(({ documents, gone }) => gone * 2 > documents)).toEqual([]);
      const small = segments.filter((segment) => live(segment) * 4 <= max).map(tierOf);
      for (const tier of small) expect(small.filter((other) => other === tier).length).toBeLessThan(4);
    }),
    { numRuns: propertyRuns(100) },
  );
});

it('a segment is rewritten when more than half of it is gone, and kept at exactly half', () => {
  expect(chooseMerge([{ documents: 10, gone: 5 }])).toEqual([]);
  expect(chooseMerge([{ documents: 10, gone: 6 }])).toEqual([{ documents: 10, gone: 6 }]);
  expect(chooseMerge([{ documents: 1, gone: 1 }])).toEqual([{ documents: 1, gone: 1 }]);
});
