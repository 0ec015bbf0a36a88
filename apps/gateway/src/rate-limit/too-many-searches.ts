import { ServiceError } from '@app/contracts';
import { counted } from '../text/counted.js';
import { searchLimit, windowSeconds } from './rate-limiter.js';

/** A search above the rate limit of its key; one more is admitted in `resetSeconds`. */
export function tooManySearches(resetSeconds: number): ServiceError {
  const wait = counted(resetSeconds, 'second');
  return new ServiceError(
    'rate_limited',
    `A key may search ${searchLimit} times in ${windowSeconds} seconds; try again in ${wait}.`,
  );
}
