import { platforms, type SearchRequest } from '@app/contracts';
import fc from 'fast-check';
import { readCursor, writeCursor } from './search-cursor.js';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const search = fc
  .record(
    {
      q: text,
      country: text,
      category: text,
      language: text,
      platform: fc.constantFrom(...platforms),
      min_followers: fc.nat(),
      max_followers: fc.nat(),
    },
    { requiredKeys: [] },
  )
  .map((filters): SearchRequest => ({ ...filters, limit: 10 }));
const place = fc.record({
  slug: fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}$/),
  updated_at: fc.option(
    fc
      .date({
        min: new Date('2000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString()),
  ),
});

it('a cursor leads back to the position that it was written for, whatever the number of creators on a page', () => {
  fc.assert(
    fc.property(search, place, fc.integer({ min: 1, max: 100 }), (asked, next, limit) => {
      const { slug, updated_at } = next;
      expect(readCursor(writeCursor(asked, next), { ...asked, limit })).toEqual({
        after_slug: slug,
        ...(updated_at === null ? {} : { after_updated_at: updated_at }),
      });
    }),
  );
});

it('a cursor is refused with other filters', () => {
  fc.assert(
    fc.property(search, search, place, (asked, other, next) => {
      fc.pre(JSON.stringify(asked) !== JSON.stringify(other));
      expect(readCursor(writeCursor(asked, next), other)).toMatch(/other filters/);
    }),
  );
});

it('a cursor that is not ours is refused, or leads to a valid slug', () => {
  const ours = writeCursor({ limit: 10 }, { slug: 'mira', updated_at: null });
  const changed = fc
    .tuple(fc.nat(ours.length - 1), fc.constantFrom('A', 'z', '_', '!'))
    .map(([at, letter]) => ours.slice(0, at) + letter + ours.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), changed), (cursor) => {
      const read = readCursor(cursor, { limit: 10 });
      if (typeof read === 'string') expect(read).toMatch(/^cursor (must be copied|belongs)/);
      else expect(read.after_slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }),
  );
  expect(readCursor('', { limit: 10 })).toMatch(/must be copied/);
});
