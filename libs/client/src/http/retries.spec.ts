import fc from 'fast-check';
import {
  ConflictError,
  ConnectionError,
  InsufficientCreditsError,
  InvalidRequestError,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
  UnexpectedResponseError,
} from '../errors.js';
import { type Limits } from '../options/settings.js';
import { Retries } from './retries.js';

const context = { requestId: 'r', attempts: 1, status: null };
const limits = { retries: 3, retryWaitMaxMs: 60_000 };
const random = fc.double({ min: 0, max: 1, noNaN: true });

const saysWhen = (seconds: number | null) => [
  new RateLimitedError('', seconds, context),
  new UnavailableError('', seconds, context),
];
const conflict = (seconds: number | null) => new ConflictError('', seconds, context);
const connectionErrors = [new ConnectionError('', context), new TimeoutError('', context)];

/** The wait after the last of so many failures of the same kind. */
function waitAfter(
  error: unknown,
  times: number,
  { chance = 0.5, ...changes }: Partial<Limits> & { readonly chance?: number } = {},
): number | null {
  const retries = new Retries({ ...limits, ...changes });
  const waits = Array.from({ length: times }, () => retries.waitAfter(error, chance));
  return waits.at(-1) ?? null;
}

it.each([
  new InvalidRequestError('', {}, context),
  new InsufficientCreditsError('', 1, 0, context),
  new UnexpectedResponseError('', context),
  new TypeError('fetch failed'),
])('%p is final', (error) => {
  expect(waitAfter(error, 1)).toBeNull();
});

it('waits as long as Retry-After asks for, and up to a tenth longer; never beyond the limit', () => {
  fc.assert(
    fc.property(fc.nat(120), fc.integer({ min: 1, max: 3 }), random, (seconds, times, chance) => {
      for (const error of saysWhen(seconds)) {
        const waitMs = waitAfter(error, times, { chance });
        if (seconds > 60) expect(waitMs).toBeNull();
        else expect(waitMs).toBeCloseTo(seconds * 1000 * (1 + chance / 10));
      }
    }),
  );
});

it('waits longer with each attempt without a Retry-After, 8 s at most, and half of that at least', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), random, (times, chance) => {
      const longest = Math.min(500 * 2 ** (times - 1), 8_000);
      for (const error of [...connectionErrors, ...saysWhen(null)]) {
        const waitMs = waitAfter(error, times, { chance, retries: 100 }) ?? -1;
        expect(waitMs).toBeGreaterThanOrEqual(longest / 2);
        expect(waitMs).toBeLessThanOrEqual(longest);
      }
    }),
  );
});

it('is over after the last retry', () => {
  for (const error of [...connectionErrors, ...saysWhen(0)]) {
    expect(waitAfter(error, 3)).not.toBeNull();
    expect(waitAfter(error, 4)).toBeNull();
    expect(waitAfter(error, 1, { retries: 0 })).toBeNull();
  }
});

it('waits for a rate limit as often as it is asked to, within all its waits together, without using up a retry', () => {
  const limited = new RateLimitedError('', 20, context);
  const retries = new Retries(limits);
  const waits = Array.from({ length: 9 }, () => retries.waitAfter(limited, 0));
  expect(waits).toEqual(Array(9).fill(20_000));
  expect(retries.waitAfter(connectionErrors[0], 1)).toBe(500);
  expect(retries.waitAfter(limited)).toBeNull();
  expect(waitAfter(limited, 1, { retries: 0 })).toBeNull();
});

describe('a conflict with an earlier attempt', () => {
  it('is waited for longer than the 30 s that an unfinished attempt can last', () => {
    const retries = new Retries(limits);
    const waits = Array.from({ length: 8 }, () => retries.waitAfter(conflict(1)));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, null]);
  });

  it('is never waited for shorter than Retry-After asks for', () => {
    expect(waitAfter(conflict(5), 1)).toBe(5_000);
    expect(waitAfter(conflict(61), 1)).toBeNull();
  });
});
