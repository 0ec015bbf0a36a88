import { platforms, type SearchQuery, searchSorts } from '#contracts';
import fc from 'fast-check';
import { type SharedSecrets } from '../config/shared-key.js';
import { SearchCursors } from './search-cursors.js';

const cursors = new SearchCursors({ ADMIN_TOKEN: 'the token of the operator' });
const refused = /cursor is not valid for this search: .* begin at the first page/;

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
      sort: fc.constantFrom(...searchSorts),
    },
    { requiredKeys: ['sort'] },
  )
  .map((asked): SearchQuery => ({ ...asked, limit: 10 }));
const place = fc.record({
  slug: fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}$/),
  updated_at: fc.constantFrom(null, '2000-01-01T00:00:00.000Z', '2026-01-31T12:00:00.123Z'),
});

it('a cursor leads back to the position that it was written for, whatever the number of creators on a page', () => {
  fc.assert(
    fc.property(
      search,
      place,
      fc.maxSafeNat(),
      fc.integer({ min: 1, max: 100 }),
      (asked, at, followers, limit) => {
        const next = asked.sort === 'recent' ? at : { slug: at.slug, updated_at: null, followers };
        const cursor = cursors.write('a', asked, next);
        expect(cursors.read('a', { ...asked, limit, cursor })).toEqual({
          ...asked,
          limit,
          after_slug: next.slug,
          ...(next.updated_at === null ? {} : { after_updated_at: next.updated_at }),
          ...(asked.sort === 'recent' ? {} : { after_followers: followers }),
        });
      },
    ),
  );
});

it('a cursor is refused with other filters or another order, and with a key of another account', () => {
  fc.assert(
    fc.property(search, search, place, (asked, other, next) => {
      const cursor = cursors.write('a', asked, next);
      expect(() => cursors.read('b', { ...asked, cursor })).toThrow(refused);
      fc.pre(JSON.stringify(asked) !== JSON.stringify(other));
      expect(() => cursors.read('a', { ...other, cursor })).toThrow(refused);
    }),
  );
});

const asked: SearchQuery = { country: 'France', limit: 10, sort: 'recent' };
const next = { slug: 'mira', updated_at: '2026-01-31T12:00:00.000Z' };
const cursor = cursors.write('a', asked, next);

it('a cursor is refused when any of it was changed: callers cannot make one for a later page', () => {
  const written = Buffer.from(cursor, 'base64url').toString();
  const changed = fc
    .tuple(fc.nat(written.length - 1), fc.constantFrom(...'az09-_.A'))
    .map(([at, letter]) => written.slice(0, at) + letter + written.slice(at + 1))
    .filter((text) => text !== written)
    .map((text) => Buffer.from(text).toString('base64url'));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), changed), (given) => {
      expect(() => cursors.read('a', { ...asked, cursor: given })).toThrow(refused);
    }),
  );
});

it('a cursor is good at every gateway with the same secret, and at no other', () => {
  const read = (secrets: SharedSecrets) => new SearchCursors(secrets).read('a', { ...asked, cursor });
  expect(read({ ADMIN_TOKEN: 'the token of the operator' })).toMatchObject({ after_slug: 'mira' });
  expect(() => read({ ADMIN_TOKEN: 'another token of operators' })).toThrow(refused);
  const PROFILE_TAG_SECRET = 'the token of the operator';
  expect(read({ ADMIN_TOKEN: 'its successor', PROFILE_TAG_SECRET })).toMatchObject({ after_slug: 'mira' });
});
