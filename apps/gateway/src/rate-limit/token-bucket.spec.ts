import { limits } from '../limits.js';
import { TokenBucket } from './token-bucket.js';

const { strangerRequests: full, strangerRequestsPerSecond: perSecond, strangerWaitMs } = limits;

let now: number;
let bucket: TokenBucket;
beforeEach(() => {
  now = 1_000_000;
  bucket = new TokenBucket();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterAll(() => jest.restoreAllMocks());

/** How many requests from the addresses, in turn, go on at once. */
function atOnce(addressOf: (index: number) => string): number {
  let count = 0;
  while (bucket.take(addressOf(count), 1) === 0) count += 1;
  return count;
}

it('has all tokens at once, then some each second, however long the network was quiet', () => {
  expect(atOnce(() => '192.0.2.1')).toBe(full);
  now += 1_000;
  // The refused one of the first round waits for a token of this second.
  expect(atOnce(() => '192.0.2.1')).toBe(perSecond - 1);
  expect(bucket.take('192.0.2.2', 1)).toBe(0);
  now += 1_000_000;
  expect(atOnce(() => '192.0.2.1')).toBe(full);
});

it('says how long a request has to wait, one after another, and takes nothing for one that would wait too long', () => {
  bucket.take('192.0.2.1', full);
  const waits = Array.from({ length: 1_000 }, () => bucket.take('192.0.2.1', 1));
  const most = (strangerWaitMs / 1_000) * perSecond;
  expect(waits.slice(0, 2)).toEqual([1_000 / perSecond, 2_000 / perSecond]);
  expect(waits.indexOf(null)).toBe(most);
  now += strangerWaitMs;
  expect(bucket.take('192.0.2.1', 1)).toBeCloseTo(1_000 / perSecond);
});

it('has somewhat more for a /56 and a /48, and none for one of them that has used it up', () => {
  expect(atOnce((index) => `2001:db8:0:${(index % 0x100).toString(16)}::1`)).toBe(1.25 * full);
  expect(atOnce((index) => `2001:db8:0:${(0x100 * (index + 1)).toString(16)}::1`)).toBe(0.25 * full - 1);
  expect(bucket.take('2001:db9::1', 1)).toBe(0);
});

it('takes back what was not needed, and no more than was taken', () => {
  bucket.take('192.0.2.1', full);
  bucket.giveBack('192.0.2.1', 2);
  expect(atOnce(() => '192.0.2.1')).toBe(2);
  bucket.giveBack('192.0.2.9', 5);
  expect(atOnce(() => '192.0.2.9')).toBe(full);
});
