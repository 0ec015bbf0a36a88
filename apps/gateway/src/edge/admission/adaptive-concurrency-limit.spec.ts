import { AdaptiveConcurrencyLimit } from './adaptive-concurrency-limit.js';

/** Simulates a service under load: `rateAt` gives its answers per second with that many calls in progress. */
function limitAfter(rateAt: (inWork: number) => number, seconds: number, noise = 0): number[] {
  let now = 0;
  let random = 12_345;
  const limit = new AdaptiveConcurrencyLimit({ min: 16, max: 256, now: () => now });
  const seen: number[] = [];
  while (now < seconds * 1_000) {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    const swing = 1 + noise * (random / 1_073_741_824 - 1);
    now += 1_000 / (rateAt(limit.limit) * swing);
    limit.recordAnswer(true);
    if (now > (seconds - 30) * 1_000) seen.push(limit.limit);
  }
  return seen;
}

const median = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >>> 1] ?? 0;

it('grows where more calls in progress bring more answers', () => {
  expect(median(limitAfter((inWork) => 10 * inWork, 120))).toBe(256);
});

it('shrinks where more calls in progress bring fewer answers', () => {
  expect(median(limitAfter((inWork) => 20_000 / inWork, 120))).toBe(16);
});

it('finds the limit above which nothing is gained, also when the figures fluctuate', () => {
  const limits = limitAfter((inWork) => 1_000 * Math.min(1, inWork / 91), 300, 0.1);
  expect(median(limits)).toBeGreaterThanOrEqual(64);
  expect(median(limits)).toBeLessThanOrEqual(128);
});

it('stays where it is while no call waits: the rate of answers then says nothing about it', () => {
  let now = 0;
  const limit = new AdaptiveConcurrencyLimit({ min: 16, max: 256, now: () => now });
  for (let answers = 0; answers < 10_000; answers++) {
    now += 10;
    limit.recordAnswer(false);
  }
  expect(limit.limit).toBe(64);
});

it('starts over once no call has waited for ten seconds', () => {
  let now = 0;
  const limit = new AdaptiveConcurrencyLimit({ min: 16, max: 1_024, now: () => now });
  const answer = (seconds: number, isSaturated: boolean): void => {
    for (const end = now + seconds * 1_000; now < end; now += 100 / limit.limit)
      limit.recordAnswer(isSaturated);
  };
  answer(60, true);
  expect(limit.limit).toBeGreaterThan(500);
  answer(9, false);
  expect(limit.limit).toBeGreaterThan(500);
  answer(2, false);
  expect(limit.limit).toBe(64);
  answer(60, true);
  expect(limit.limit).toBeGreaterThan(500);
});

it('stays within its bounds, also when both are the same', () => {
  let now = 0;
  const limit = new AdaptiveConcurrencyLimit({ min: 3, max: 3, now: () => now });
  for (let answers = 0; answers < 10_000; answers++) {
    now += 1;
    limit.recordAnswer(true);
    expect(limit.limit).toBe(3);
  }
});
