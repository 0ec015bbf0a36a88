import { expectEqual, numbersFrom, propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { bitmapWords, listBits } from './document-set.js';
import { buildColumn, rangeOf, writeRange } from './follower-columns.js';

const sizes = [1, 31, 32, 33, 2_047, 2_048, 2_049, 4_095, 4_096, 4_097, 10_000];

/** Counts, some of them unknown, with hardly any or very many duplicates. */
function countsOf(documents: number): fc.Arbitrary<(number | null)[]> {
  return fc
    .record({
      seed: fc.nat(),
      unknownPerCent: fc.constantFrom(0, 10, 90, 100),
      below: fc.constantFrom(1, 3, 20_000),
      times: fc.constantFrom(1, 2 ** 38),
    })
    .map(({ seed, unknownPerCent, below, times }) => {
      const next = numbersFrom(seed);
      return Array.from({ length: documents }, () =>
        next(100) < unknownPerCent ? null : next(below) * times,
      );
    });
}

/** Two bounds, often values of the column or next to them. */
const bounds = fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: -1, max: 1 }), fc.integer({ min: -1, max: 1 }));

function inRange(counts: readonly (number | null)[], min: number, max: number): number[] {
  const documents: number[] = [];
  counts.forEach((count, document) => {
    if (count !== null && count >= min && count <= max) documents.push(document);
  });
  return documents;
}

function found(counts: readonly (number | null)[], min: number, max: number) {
  const column = buildColumn(Float64Array.from(counts, (count) => count ?? NaN));
  const range = rangeOf(column, min, max);
  // Bits left by an earlier search must not show.
  const target = new Uint32Array(bitmapWords(counts.length)).fill(0x5a5a_5a5a);
  writeRange(column, range, target);
  const list = new Uint16Array(counts.length);
  const documents = [...list.subarray(0, listBits(target, list))];
  return { documents, size: range.high - range.low };
}

it('a range has the documents whose counts are in it, both bounds included, in columns of every size', () => {
  const wide: number[] = [];
  fc.assert(
    fc.property(fc.constantFrom(...sizes).chain(countsOf), bounds, (counts, [a, b, besideMin, besideMax]) => {
      const known = [0, ...counts.filter((count) => count !== null)];
      const min = Math.max(0, (known[a % known.length] ?? 0) + besideMin);
      const max = Math.max(0, (known[b % known.length] ?? 0) + besideMax);
      const { documents, size } = found(counts, min, max);
      const expected = inRange(counts, min, max);
      expectEqual({ documents, size }, { documents: expected, size: expected.length });
      if (size > 2_048) wide.push(size);
    }),
    { numRuns: propertyRuns(100) },
  );
  expect(wide.length).toBeGreaterThan(3);
});

it('every pair of positions around the marks, and halfway between them, is found as a range', () => {
  const counts = Array.from({ length: 6_200 }, (_, document) => (document * 37) % 6_200);
  const edges = [
    0, 1, 1_023, 1_024, 3_071, 3_072, 5_119, 5_120, 2_047, 2_048, 2_049, 4_095, 4_096, 4_097, 6_143, 6_144,
    6_145, 6_199,
  ];
  for (const min of edges) {
    for (const max of edges) {
      expectEqual(found(counts, min, max).documents, inRange(counts, min, max));
    }
  }
});

it('a column of the largest segment is found whole and in parts, and one of none is empty', () => {
  const counts = Array.from({ length: 65_535 }, (_, document) =>
    document % 5 === 0 ? null : (document * 40_503) % 65_536,
  );
  for (const [min, max] of [
    [0, Number.MAX_SAFE_INTEGER],
    [0, 30_000],
    [1_234, 60_000],
    [65_535, 65_535],
  ] as const) {
    expectEqual(found(counts, min, max).documents, inRange(counts, min, max));
  }
  expect(found([], 0, Number.MAX_SAFE_INTEGER)).toEqual({ documents: [], size: 0 });
});
