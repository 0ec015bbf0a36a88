import { platforms } from '#contracts';
import { expectEqual, propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { randomDocument, slugOf } from '../documents/random-documents.fixture.js';
import { columnOf, type SearchDocument } from '../documents/search-document.js';
import { type FacetKind } from '../segments/segment-writer.js';
import { type BitmapIndex } from './bitmap-index.js';
import { type FilterCount } from './filter-counts.js';
import { IndexHistory } from './index-history.fixture.js';

/** The values of one filter and their spellings, in each document. */
const read: Readonly<Record<FacetKind, (document: SearchDocument) => [string, string][]>> = {
  country: ({ country, countryName }) => [[country, countryName]],
  category: ({ categories }) => categories.map((value) => [value, value]),
  language: ({ languages, languageNames }) => languages.map((value, at) => [value, languageNames[at] ?? '']),
  platform: ({ followers }) =>
    platforms
      .filter((platform) => followers[columnOf(platform)] !== null)
      .map((platform) => [String(columnOf(platform)), String(columnOf(platform))]),
};

/** Counted by reading every document, sharing no code with the index. */
function countNaively(documents: readonly SearchDocument[], kind: FacetKind): FilterCount[] {
  const values = [...new Set(documents.flatMap((document) => read[kind](document).map(([value]) => value)))];
  const having = (value: string, name?: string): number =>
    documents.filter((document) =>
      read[kind](document).some((pair) => pair[0] === value && (name === undefined || pair[1] === name)),
    ).length;
  const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
  const counts = values.map((value) => {
    const pairs = documents.flatMap((document) => read[kind](document)).filter((pair) => pair[0] === value);
    const names = [...new Set(pairs.map(([, name]) => name))];
    names.sort((one, other) => having(value, other) - having(value, one) || inOrder(one, other));
    return { value, name: names[0] ?? '', creators: having(value) };
  });
  return counts.sort((one, other) => other.creators - one.creators || inOrder(one.name, other.name));
}

function expectCounted(index: BitmapIndex, documents: readonly SearchDocument[]): void {
  const counted = index.filters();
  for (const kind of ['country', 'category', 'language', 'platform'] as const) {
    expectEqual({ kind, counts: counted[kind] }, { kind, counts: countNaively(documents, kind) });
    for (const { value, creators } of kind === 'platform' ? [] : counted[kind]) {
      expectEqual(index.search({ words: [], [kind]: value, limit: 1 }).total, creators);
    }
  }
  for (const { value, creators } of counted.platform) {
    const platform = platforms[Number(value) - 1] ?? 'x';
    expectEqual(index.search({ words: [], platform, limit: 1 }).total, creators);
  }
}

it('the counts are what a search for each value finds, in any spelling, after every change', async () => {
  const change = fc
    .tuple(fc.nat(40).map(slugOf), fc.option(fc.nat(9_999), { freq: 5 }))
    .map(([slug, seed]) => ({ slug, document: seed === null ? null : randomDocument(slug, seed) }));
  const changes = fc.array(change, { minLength: 1, maxLength: 30 });
  const steps = fc.array(fc.tuple(changes, fc.constantFrom('apply', 'add', 'freeze', 'finish')), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      const history = new IndexHistory();
      const { index, builder, published } = history;
      for (const [changed, way] of some) {
        if (way === 'add') await history.add(changed);
        else history.apply(changed);
        if (way === 'freeze') index.freeze();
        if (way === 'finish') await builder.endAll();
        expectCounted(index, [...published.values()]);
      }
    }),
    { numRuns: propertyRuns(10) },
  );
}, 60_000);

it('the counts are kept until the next change, also while segments are being merged', async () => {
  const { builder, index } = new IndexHistory();
  index.apply([{ slug: 'a', document: randomDocument('a', 1) }]);
  const first = index.filters();
  index.freeze();
  await builder.endAll();
  expect(index.filters()).toBe(first);
  index.apply([{ slug: 'a', document: null }]);
  expect(index.filters()).toEqual({ country: [], category: [], language: [], platform: [] });
});
