import { EntryCache } from './entry-cache.js';

const entryOf = (key: number): Buffer => Buffer.from(`entry ${key}`.padEnd(10 + (key % 7), '.'));

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
