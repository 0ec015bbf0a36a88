import { ServiceError } from '@app/contracts';
import { counted } from '../text/counted.js';
import { callsMax, type RateLimitGroup, windowSeconds } from './rate-limiter.js';

const what: Readonly<Record<RateLimitGroup, string>> = {
  search: `may search ${callsMax} times`,
  lookup: `may look up accounts ${callsMax} times`,
  account: `may ask about its account and for filters ${callsMax} times`,
};

/** A call above the rate limit of its key; one more is admitted in `resetSeconds`. */
export function tooManyCalls(group: RateLimitGroup, resetSeconds: number): ServiceError {
  const wait = counted(resetSeconds, 'second');
  return new ServiceError(
    'rate_limited',
    `A key ${what[group]} in ${windowSeconds} seconds; try again in ${wait}.`,
  );
}
