import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { mergeSorted, type SortedSource } from './merge-sorted.js';

interface Match {
  readonly slug: string;
  readonly updatedAt: number;
}

function compare(one: Match, other: Match): number {
  if (one.updatedAt > other.updatedAt) return -1;
  if (one.updatedAt < other.updatedAt) return 1;
  return Buffer.compare(Buffer.from(one.slug), Buffer.from(other.slug));
}

function sourceOf(matches: readonly Match[]): SortedSource<string> {
  const sorted = [...matches].sort(compare);
  const at = (position: number): Match => {
    const match = sorted[position];
    if (!match) throw new Error(`read at ${position} of ${sorted.length}`);
    return match;
  };
  return {
    length: sorted.length,
    updatedAt: (position) => at(position).updatedAt,
    slug: (position) => at(position).slug,
    entry: (position) => `entry of ${at(position).slug}`,
  };
}

/** Matches with different slugs, many of the same time, each in one of a few sources. */
const matches = fc.uniqueArray(
  fc.record({
    slug: fc.stringMatching(/^[a-z0-9]{1,3}(-[a-z0-9]{1,2})?$/),
    updatedAt: fc.constantFrom(-Infinity, -1, 0, 0.5, 1, 1_700_000_000_000.5),
    source: fc.nat(5),
  }),
  { selector: ({ slug }) => slug, maxLength: 60 },
);

it('merging gives the first matches of all sources in one order, and reads no source past its end', () => {
  fc.assert(
    fc.property(matches, fc.nat(70), (all, limit) => {
      const sources = [0, 1, 2, 3, 4, 5]
        .map((number) => all.filter(({ source }) => source === number))
        .filter(({ length }) => length > 0)
        .map(sourceOf);
      const expected = [...all].sort(compare).map(({ slug }) => `entry of ${slug}`);
      const { entries, next } = mergeSorted(sources, limit);
      expect(entries).toEqual(expected.slice(0, limit));
      const last = limit > 0 && all.length > limit ? [...all].sort(compare)[limit - 1] : undefined;
      expect(next).toEqual(last ? { updatedAt: last.updatedAt, slug: last.slug } : null);
    }),
    { numRuns: propertyRuns(200), examples: [[[], 10]] },
  );
});
