import { expectEqual } from '#testing/random';
import fc from 'fast-check';
import { slugOf } from '../documents/random-documents.fixture.js';
import { buildSlugTable, hashText, lookUpSlug } from './slug-table.js';

const slug = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,4}){0,2}$/);

function find(table: Uint16Array, slugs: readonly string[], wanted: string): number {
  return lookUpSlug(table, hashText(wanted), (document) => slugs[document] === wanted);
}

it('the table finds the document of every slug, and none for another slug', () => {
  fc.assert(
    fc.property(fc.uniqueArray(slug, { maxLength: 200 }), fc.array(slug), (slugs, others) => {
      const table = buildSlugTable(slugs);
      slugs.forEach((own, document) => expectEqual(find(table, slugs, own), document));
      for (const other of others) expectEqual(find(table, slugs, other), slugs.indexOf(other));
    }),
  );
});

it('the table finds slugs that all hash to the same place, even the last one', () => {
  const slugs: string[] = [];
  for (let number = 0; slugs.length < 8; number++) {
    const made = number.toString(36);
    if ((hashText(made) & 15) === 15) slugs.push(made);
  }
  const table = buildSlugTable(slugs);
  expect(table).toHaveLength(16);
  slugs.forEach((own, document) => expect(find(table, slugs, own)).toBe(document));
  expect(find(table, slugs, 'another')).toBe(-1);
});

it.each([0, 1, 8, 9, 31, 32, 33, 4_095, 4_096, 4_097, 65_535])(
  'the table holds %d documents, and finds no other slug',
  (count) => {
    const slugs = Array.from({ length: count }, (_, index) => slugOf(index));
    const table = buildSlugTable(slugs);
    const wrong = slugs.filter((own, document) => find(table, slugs, own) !== document);
    expect(wrong).toEqual([]);
    for (let other = count; other < count + 200; other++) expectEqual(find(table, slugs, slugOf(other)), -1);
  },
);
