import { expectEqual } from '#testing/random';
import fc from 'fast-check';
import { EntryCache } from './entry-cache.js';

const entryOf = (key: number): Buffer => Buffer.from(`entry ${key}`.padEnd(10 + (key % 7), '.'));

it('the cache returns the entry of each key, however many have been dropped before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(60), { maxLength: 300, size: 'max' }),
      fc.integer({ min: 1, max: 400 }),
      (keys, room) => {
        const cache = new EntryCache(room);
        for (const key of keys) {
          expectEqual(
            cache.get(key, () => entryOf(key)),
            entryOf(key),
          );
        }
      },
    ),
  );
});

it('only two generations are kept: an entry not requested meanwhile is made again', () => {
  const cache = new EntryCache(100);
  const isMadeAgain = (key: number): boolean => {
    let isMade = false;
    cache.get(key, () => ((isMade = true), entryOf(key)));
    return isMade;
  };
  expect(isMadeAgain(1)).toBe(true);
  expect(isMadeAgain(1)).toBe(false);
  for (let other = 100; other < 130; other++) isMadeAgain(other);
  expect(isMadeAgain(1)).toBe(true);
});
