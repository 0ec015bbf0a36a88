import { KnownProfiles } from './known-profiles.js';

const state = { catalogId: 'a catalog', revision: 1 };

it('profiles are known until the catalog has changed, however often it is asked', () => {
  const known = new KnownProfiles(100);
  expect(known.find('luna', state)).toBeUndefined();
  known.keep('luna', '{}', state);
  expect([known.find('luna', state), known.find('luna', state)]).toEqual(['{}', '{}']);
  const changed = { ...state, revision: 2 };
  expect(known.find('luna', changed)).toBeUndefined();
  expect(known.find('luna', changed)).toBeUndefined();
});

it('a profile that was read before a change is not kept after it', () => {
  const known = new KnownProfiles(100);
  known.find('luna', state);
  const changed = { ...state, revision: 2 };
  known.find('nova', changed);
  known.keep('luna', '{}', state);
  expect(known.find('luna', changed)).toBeUndefined();
});

it('when all together are too long, those asked for longest ago are forgotten', () => {
  const known = new KnownProfiles(10);
  known.find('a', state);
  for (const slug of ['a', 'b']) known.keep(slug, '12345', state);
  known.keep('a', '12345', state);
  expect(known.find('a', state)).toBe('12345');
  known.keep('c', '123', state);
  expect(['a', 'b', 'c'].map((slug) => known.find(slug, state))).toEqual(['12345', undefined, '123']);
});
