import { ConflictError, ConnectionError, RateLimitedError, TryLaterError } from '../errors.js';
import { type Limits } from '../options/settings.js';

const firstWaitMs = 500;
const longestBackoffMs = 8_000;
/** Callers that were refused together do not come back together. */
const spread = 0.1;
/** An unfinished attempt keeps its idempotency key for 30 s. So many waits, of 1, 2, 4 and then 8 s, are longer. */
const conflictsMax = 7;
/** How often the service repeats a paid call for nothing; the next attempt would be paid. */
export const freeRepeats = 5;

/** The failed attempts of one call, and how long to wait before the next one. */
export class Retries {
  private failures = 0;
  private conflicts = 0;
  /** Attempts that may have been paid, or repeated a paid one. */
  private lost = 0;
  /** How long refusals for a rate limit were waited for, ms. */
  private limitedMs = 0;

  /** `repeatsMax`: how often a paid call may be sent again after its answer was lost. */
  constructor(
    private readonly limits: Omit<Limits, 'timeoutMs'>,
    private readonly repeatsMax = Number.POSITIVE_INFINITY,
  ) {}

  /**
   * How long to wait after this failure, ms; `null` when the call is not sent again. Only what may succeed the next time
   * is: no answer, and answers that ask to try later. Never sooner than the service asked for; when it asks for more than
   * `retryWaitMaxMs`, the error is thrown instead. A conflict with an earlier attempt ends with that attempt, and a rate limit that
   * says when ends then: each is waited for and does not count as one of `retries`, the limit for `retries` times
   * `retryWaitMaxMs` in all. `random` is from 0 to 1.
   */
  waitAfter(error: unknown, random = Math.random()): number | null {
    const { retries, retryWaitMaxMs } = this.limits;
    const askedMs = error instanceof TryLaterError ? askedFor(error) : null;
    if (error instanceof RateLimitedError && askedMs) {
      this.limitedMs += askedMs;
      const isTooLong = askedMs > retryWaitMaxMs || this.limitedMs > retries * retryWaitMaxMs;
      return isTooLong ? null : askedMs * (1 + spread * random);
    }
    if (error instanceof ConflictError) this.conflicts += 1;
    else if (error instanceof ConnectionError || error instanceof TryLaterError) this.failures += 1;
    else return null;
    const isRefused = error instanceof RateLimitedError || error instanceof ConflictError;
    if (!isRefused) this.lost += 1;
    if (this.lost > this.repeatsMax) return null;
    if (retries === 0 || this.failures > retries || this.conflicts > conflictsMax) return null;
    if ((askedMs ?? 0) > retryWaitMaxMs) return null;
    const ownMs = Math.min(this.ownWait(error, random), retryWaitMaxMs);
    if (error instanceof ConflictError) return Math.max(ownMs, askedMs ?? 0);
    return askedMs === null ? ownMs : askedMs * (1 + spread * random);
  }

  /** Doubles every time, up to 8 s. After a failure at least half of it is waited; no other caller waits for the same conflict. */
  private ownWait(error: unknown, random: number): number {
    if (error instanceof ConflictError) return doubled(2 * firstWaitMs, this.conflicts);
    return doubled(firstWaitMs, this.failures) * (0.5 + 0.5 * random);
  }
}

function doubled(firstMs: number, times: number): number {
  return Math.min(firstMs * 2 ** (times - 1), longestBackoffMs);
}

function askedFor({ retryAfterSeconds: seconds }: TryLaterError): number | null {
  return seconds === null ? null : seconds * 1000;
}
