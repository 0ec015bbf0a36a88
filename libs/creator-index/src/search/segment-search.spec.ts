import { expectEqual, propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { criteriaArbitrary, pageNaively, randomDocuments } from '../documents/random-documents.fixture.js';
import { type SearchCriteria, type SearchDocument } from '../documents/search-document.js';
import { buildSegment } from '../segments/build-segment.js';
import { type ThinnedSegment, thinnedSegment } from '../segments/thinned-segment.fixture.js';
import { prepareSearch, searchSegment } from './segment-search.js';

const everything: SearchCriteria = { words: [], limit: 100 };

/** Compares a search of the segment with a scan of the documents; returns the total. */
function compare({ segment, gone, left }: ThinnedSegment, criteria: SearchCriteria): number {
  const { total, first } = searchSegment(segment, gone, prepareSearch(criteria));
  const expected = pageNaively(left.keys(), criteria);
  expectEqual(
    { total, first: [...first] },
    { total: expected.total, first: expected.first.map((document) => left.get(document)) },
  );
  return total;
}

describe('one segment of some thousand documents', () => {
  const queries = propertyRuns(60);

  it.each([
    { seed: 11, gonePerCent: 0 },
    { seed: 12, gonePerCent: 10 },
    { seed: 13, gonePerCent: 90 },
  ])(
    `finds what reading all documents finds, in ${queries} random searches, %j`,
    ({ seed, gonePerCent }) => {
      const made = thinnedSegment(randomDocuments(5_000, seed), seed, gonePerCent);
      const totals: number[] = [];
      fc.assert(
        fc.property(criteriaArbitrary, (criteria) => {
          totals.push(compare(made, criteria));
        }),
        { numRuns: queries, seed },
      );
      // Searches that all find nothing, or everything, would prove nothing.
      expect(totals.filter((total) => total > 0).length).toBeGreaterThan(queries / 3);
      expect(totals.filter((total) => total > 1).length).toBeGreaterThan(queries / 5);
    },
    60_000,
  );
});

describe('segments of sizes around the borders of words and forms', () => {
  it.each([1, 2, 31, 32, 33, 63, 64, 65, 4_095, 4_096, 4_097])('%d documents', (count) => {
    const given = randomDocuments(count, count);
    const made = thinnedSegment(given, count, 20);
    compare(made, everything);
    compare(thinnedSegment(given, count, 0), everything);
    fc.assert(
      fc.property(criteriaArbitrary, (criteria) => {
        compare(made, criteria);
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('as many as a segment may have, the last one included, and not one more', () => {
    const some = randomDocuments(4_095, 5);
    const all = Array.from({ length: 17 }, (_, part) => some.map((document) => renamed(document, `${part}`)));
    const made = thinnedSegment(all.flat().slice(0, 65_535), 5, 1);
    compare(made, everything);
    fc.assert(
      fc.property(criteriaArbitrary, (criteria) => {
        compare(made, criteria);
      }),
      { numRuns: propertyRuns(2) },
    );
    const last = made.documents.at(-1);
    expect(made.segment.find(last?.slug ?? '')).toBe(65_534);
    expect(() => buildSegment([...made.documents, ...made.documents.slice(0, 1)])).toThrow('too many');
  }, 60_000);
});

function renamed(document: SearchDocument, prefix: string): SearchDocument {
  const { slug, record } = document;
  return { ...document, slug: `${prefix}-${slug}`, record: `${prefix}-${record}` };
}
