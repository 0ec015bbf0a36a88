import { expectEqual, propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { intersectLists, isSmallerAsList, lowerBound } from './document-set.js';

const sizes = [0, 1, 31, 32, 33, 63, 64, 65, 4_095, 4_096, 4_097, 65_535];
const ascending = (max: number, length: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.nat(max), { maxLength: length }).map((list) => list.sort((one, other) => one - other));

it('two lists have in common what two sets have, of any lengths, also over the first of them', () => {
  const short = ascending(65_534, 5);
  const long = fc
    .integer({ min: 1, max: 40 })
    .map((every) => Array.from({ length: Math.floor(65_535 / every) }, (_, index) => index * every));
  const pairs = fc.oneof(
    fc.tuple(short, long),
    fc.tuple(long, short),
    fc.tuple(ascending(99, 60), ascending(99, 60)),
  );
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const known = new Set(other);
      const expected = one.filter((document) => known.has(document));
      const [first, second] = [Uint16Array.from(one), Uint16Array.from(other)];
      const target = new Uint16Array(one.length);
      expectEqual([...target.subarray(0, intersectLists(first, second, target))], expected);
      expectEqual([...first], one);
      expectEqual([...first.subarray(0, intersectLists(first, second, first))], expected);
      expectEqual([...second], other);
    }),
    { numRuns: propertyRuns(100) },
  );
});

it.each(sizes)(
  'of %d documents a set is a list where that takes no more bytes than a bitmap',
  (documents) => {
    const bitmapBytes = Math.ceil(documents / 32) * 4;
    for (const more of [-1, 0, 1]) {
      const size = bitmapBytes / 2 + more;
      if (size >= 0 && size <= documents) expect(isSmallerAsList(size, documents)).toBe(more <= 0);
    }
  },
);

it('the first position that is not below a value is found, also between two positions', () => {
  const repeated = fc.array(fc.nat(40), { maxLength: 30 }).map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(
      repeated,
      fc.integer({ min: -1, max: 41 }),
      fc.tuple(fc.nat(30), fc.nat(30)),
      (list, value, positions) => {
        const [low = 0, high = 0] = positions.map((at) => Math.min(at, list.length)).sort((a, b) => a - b);
        const found = list.slice(low, high).findIndex((one) => one >= value);
        for (const List of [Uint16Array, Float64Array]) {
          expect(lowerBound(List.from(list), value, low, high)).toBe(found < 0 ? high : low + found);
        }
      },
    ),
  );
});
