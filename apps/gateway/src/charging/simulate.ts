import { busy } from '#http';
import { ServiceError } from '#contracts';
import { InsufficientCreditsError, KeyLimitError } from '../errors/gateway-errors.js';
import { type Call } from '../requests/call.js';

const lowBalance = 5;
const spentLimit = 100;

/**
 * Gives a call of a test key what the slug of its profile or its keyword stands for: throws that error, or has its answer warn of a
 * low balance. Does nothing for other calls.
 */
export function simulate(call: Call, word: string | undefined, price: number): void {
  if (!call.isTest) return;
  if (word === 'warning-low-balance') call.testBalance = lowBalance;
  const error = word === undefined ? undefined : errors[word]?.(price);
  if (!error) return;
  call.isSimulated = true;
  throw error;
}

const errors: Readonly<Record<string, (price: number) => ServiceError>> = {
  'error-402': (price) => new InsufficientCreditsError(price, 0),
  'error-403': (price) => {
    const [now, keyLimit] = [new Date(), { limit: spentLimit, spent: spentLimit }];
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
    return new KeyLimitError(price, { ...keyLimit, resets_at: resetsAt.toISOString() });
  },
  'error-429': () => new ServiceError('rate_limited', 'Too many calls; try again in 1 second.'),
  'error-503': () => busy,
};
