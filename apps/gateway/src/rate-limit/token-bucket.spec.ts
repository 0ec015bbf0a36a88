import fc from 'fast-check';
import { TokenBucket } from './token-bucket.js';

describe('TokenBucket', () => {
  let now: number;
  let bucket: TokenBucket;

  beforeEach(() => {
    now = 0;
    bucket = new TokenBucket(() => now);
  });

  function take(network: string, times: number): number {
    return Array.from({ length: times }, () => bucket.take(network)).filter(Boolean).length;
  }

  it('allows 20, and one more each second', () => {
    expect(take('a', 30)).toBe(20);
    now = 999;
    expect(take('a', 1)).toBe(0);
    now = 1_000;
    expect(take('a', 2)).toBe(1);
  });

  it('never allows more than 20 and the seconds that have passed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 200 }), (pauses) => {
        now = 0;
        bucket = new TokenBucket(() => now);
        let allowed = 0;
        for (const pause of pauses) {
          now += pause;
          allowed += take('a', 1);
          expect(allowed).toBeLessThanOrEqual(20 + now / 1_000);
        }
      }),
    );
  });

  it('allows the networks of one site no more than a few times as much', () => {
    const ofAll = (prefix: (index: number) => string): number =>
      Array.from({ length: 1_000 }, (_, index) => take(`${prefix(index)}::${index.toString(16)}`, 1)).filter(
        Boolean,
      ).length;
    expect(ofAll(() => '2001:db8:0:7')).toBe(20);
    expect(ofAll((index) => `2001:db8:1:${(index % 256).toString(16)}`)).toBe(80);
    expect(ofAll((index) => `2001:db8:1:${(256 + index * 61).toString(16)}`)).toBe(320 - 80);
    expect(ofAll((index) => `2001:db8:${(2 + index).toString(16)}:0`)).toBe(1_000);
  });

  it('does not count good keys', () => {
    for (let sent = 0; sent < 100; sent++) {
      expect(bucket.take('a')).toBe(true);
      bucket.giveBack('a');
    }
    expect(take('a', 30)).toBe(20);
  });

  it('counts every network separately', () => {
    take('a', 20);
    expect(take('b', 1)).toBe(1);
  });

  it('remembers 10,000 networks at most', () => {
    take('first', 20);
    for (let index = 0; index < 10_000; index++) bucket.take(String(index));
    expect(take('first', 1)).toBe(1);
  });
});
