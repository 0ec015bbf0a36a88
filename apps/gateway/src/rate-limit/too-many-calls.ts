import { keyLimit, type LimitGroup, ServiceError } from '@app/contracts';
import { counted } from '../text/counted.js';

const { calls, seconds } = keyLimit;
const what: Readonly<Record<LimitGroup, string>> = {
  search: `may search ${calls} times`,
  lookup: `may look up accounts ${calls} times`,
  account: `may ask about its account and for filters ${calls} times`,
};

/** A call above the rate limit of its key; one more is admitted in `resetSeconds`. */
export function tooManyCalls(group: LimitGroup, resetSeconds: number): ServiceError {
  const wait = counted(resetSeconds, 'second');
  return new ServiceError(
    'rate_limited',
    `A key ${what[group]} in ${seconds} seconds; try again in ${wait}.`,
  );
}
