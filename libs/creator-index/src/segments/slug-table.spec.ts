import { expectEqual } from '#testing/random';
import { slugOf } from '../documents/random-documents.fixture.js';
import { buildSlugTable, hashText, lookUpSlug } from './slug-table.js';

function find(table: Uint16Array, slugs: readonly string[], wanted: string): number {
  return lookUpSlug(table, hashText(wanted), (document) => slugs[document] === wanted);
}

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
